// Results that are still being written: the same files are read once more, and what came is shown.
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env, folder;
before(async () => { env = await h.start(); folder = mkdtempSync(join(tmpdir(), 'evalglass-live-')); });
after(async () => { await env?.stop(); rmSync(folder, { recursive: true, force: true }); });

/** A run that is not finished: its file of rows, cut in half behind a line. Returns the file and the rest of it. */
function unfinished(name) {
  const run = join(folder, name);
  cpSync(join(h.fixtures, 'letta-evals/0.25.1_reward'), run, { recursive: true });
  const file = join(run, readdirSync(run).filter((f) => f.endsWith('.jsonl')).sort()[0]);
  const text = readFileSync(file, 'utf8');
  const cut = text.indexOf('\n', text.length / 2) + 1;
  writeFileSync(file, text.slice(0, cut));
  return { run, file, rest: text.slice(cut) };
}

test('files that have grown are picked once more', async () => {
  const { run, file, rest } = unfinished('picked');
  const page = await h.openPage(env);
  await h.openFolder(page, run);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const { cases } = await h.status(page);
  appendFileSync(file, rest);
  await page.locator('label').filter({ hasText: 'Reload' }).locator('input').setInputFiles(run);
  await page.waitForFunction((n) => Number(/([\d,]+) cases/.exec(document.querySelector('[role="status"]').textContent)?.[1].replace(',', '')) > n, cases);
  const whole = await h.nativeReport(run);
  assert.equal((await h.status(page)).cases, whole.report.runs.reduce((sum, one) => sum + one.cases.length, 0));
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a dropped folder is watched', async (t) => {
  const { run, file, rest } = unfinished('watched');
  const page = await h.openPage(env);
  await h.drop(page, run);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const watch = page.getByRole('button', { name: 'Watch' });
  if (await watch.count() === 0) { t.skip('this browser gives out no handles for a dropped folder'); return; }
  const { cases } = await h.status(page);
  await watch.click();
  appendFileSync(file, rest);
  await page.waitForFunction((n) => Number(/([\d,]+) cases/.exec(document.querySelector('[role="status"]').textContent)?.[1].replace(',', '')) > n, cases, { timeout: 15_000 });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a comparison follows a folder that is watched, and keeps its place and what is open', async (t) => {
  const { run: before } = unfinished('compared-a');
  const { run, file, rest } = unfinished('compared-b');
  const page = await h.openPage(env, { viewport: { width: 1280, height: 600 } });
  for (const one of [before, run]) {
    await h.drop(page, one);
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  }
  // The second folder is the one that is selected, and that grows.
  const watch = page.getByRole('button', { name: 'Watch' });
  if (await watch.count() === 0) { t.skip('this browser gives out no handles for a dropped folder'); return; }
  await watch.click();
  await h.go(page, 'Compare');
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  await page.waitForFunction(() => /side=.*side=/.test(location.hash));
  await page.locator('.compare__fold > summary').first().click();
  await page.evaluate(() => { document.querySelector('.app__main').scrollTop = 200; });
  const place = () => page.evaluate(() => [document.querySelector('.app__main').scrollTop, document.querySelector('.compare__fold').open]);
  const then = await place();
  assert.equal(then[1], true);
  assert.match(await page.locator('.side-card').last().innerText(), /16 cases, 25 trials/);
  appendFileSync(file, rest);
  await page.locator('.side-card').last().filter({ hasText: '16 cases, 32 trials' }).waitFor();
  assert.deepEqual(await place(), then);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
