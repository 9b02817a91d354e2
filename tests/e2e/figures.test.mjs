// Charts: saved as pictures, reached by keyboard, and leading to the cases they stand for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

test('a chart is saved as SVG and PNG, and a bar of it filters the cases', async () => {
  const page = await h.openPage(env);
  await h.openFolder(page, join(h.fixtures, 'slop-code/g1/runs'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const figure = page.locator('figure').filter({ hasText: 'Scores of the cases' }).first();
  const saved = async (name) => {
    await figure.getByRole('button', { name: /^Table and pictures/ }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), figure.getByRole('menuitem', { name }).click()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const svg = await saved('Save as SVG');
  assert.match(svg.name, /\.svg$/);
  assert.match(svg.bytes.toString('utf8'), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  const png = await saved('Save as PNG');
  assert.match(png.name, /\.png$/);
  assert.deepEqual([...png.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);

  const bar = figure.locator('a.mark').last();
  await bar.focus();
  assert.match(await bar.getAttribute('aria-label'), /\d/);
  await page.keyboard.press('Enter');
  await page.locator('.page-head__count').filter({ hasText: ' of ' }).waitFor();
  assert.match(await page.locator('#case-search').inputValue(), /score/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
