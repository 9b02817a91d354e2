// The frame around the pages: command palette, names, undo, settings, and a program that stops.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

const folder = join(h.fixtures, 'slop-code/g1/runs');

async function opened(options) {
  const page = await h.openPage(env, options);
  await h.openFolder(page, folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  return page;
}

const heading = (page) => page.getByRole('main').getByRole('heading', { level: 1 });

test('the palette finds pages, runs, cases and actions, by keyboard alone', async () => {
  const page = await opened();
  const field = page.getByRole('combobox', { name: 'Find a page, run, case or action' });
  const find = async (text, name) => {
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type(text);
    await page.getByRole('option', { name }).first().waitFor();
    await page.waitForFunction(() => document.getElementById('palette-0')?.getAttribute('aria-selected') === 'true');
    assert.deepEqual(await h.axe(page), [], `axe on the palette with ${text}`);
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
  };
  await find('stat', 'Statistics');
  await heading(page).filter({ hasText: 'Statistics' }).waitFor();
  await find('tide_tables / checkpoint_2', 'tide_tables / checkpoint_2');
  await heading(page).filter({ hasText: 'tide_tables / checkpoint_2' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${env.url}#/1/overview`);
  await find('sum_unicode', 'sum_unicode');
  await heading(page).filter({ hasText: 'sum_unicode' }).waitFor();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('no such thing anywhere');
  await page.getByText('Nothing found with this name.').waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('an evaluation gets another name, is removed, and comes back', async () => {
  const page = await opened();
  const before = (await h.exportReport(page)).bytes;
  const item = page.getByRole('treeitem').nth(1);
  await item.click();
  await page.keyboard.press('F2');
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await dialog.getByLabel('Name').fill('Tuesday <b>night</b>');
  assert.deepEqual(await h.axe(page), [], 'axe on the dialog');
  await page.keyboard.press('Enter');
  await heading(page).filter({ hasText: 'Tuesday <b>night</b>' }).waitFor();
  const renamed = JSON.parse((await h.exportReport(page)).bytes);
  assert.equal(renamed.evaluations[0].label, 'Tuesday <b>night</b>');
  assert.deepEqual(renamed.runs.map((r) => r.cases.length), JSON.parse(before).runs.map((r) => r.cases.length));

  await page.getByRole('button', { name: 'Remove evaluation' }).click();
  await h.waitFor(page, 'idle');
  await page.getByRole('button', { name: 'Undo' }).click();
  await h.waitFor(page, 'ready');
  assert.deepEqual(JSON.parse((await h.exportReport(page)).bytes), renamed, 'all of it is back');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('numbers are shown as the reader likes, and stay so', async () => {
  const page = await opened();
  await page.goto(`${env.url}#/1/overview?of=0.0`);
  const score = page.locator('.headlines__item').filter({ hasText: /^Score/ }).locator('.headlines__value');
  await score.filter({ hasText: /^0\.637$/ }).waitFor();
  await page.keyboard.press(',');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Decimals').selectOption('6');
  await page.keyboard.press('Escape');
  await page.locator('.cell-bar__text').filter({ hasText: /^0\.\d{6}$/ }).first().waitFor();
  await page.reload();
  await h.waitFor(page, 'idle');
  await h.openFolder(page, folder);
  await h.waitFor(page, 'ready');
  await page.locator('.cell-bar__text').filter({ hasText: /^0\.\d{6}$/ }).first().waitFor();
  await page.context().close();
});

test('a program that stops says why and starts anew with its files', async () => {
  const page = await opened({ again: true });
  await page.goto(`${env.url}#/1/statistics?set.policy=all-cases`);
  await heading(page).filter({ hasText: 'Statistics' }).waitFor();
  const before = (await h.exportReport(page)).bytes;
  for (let i = 0; i < 2; i += 1) {
    // What a browser reports when the program runs into a trap.
    await page.evaluate(() => dispatchEvent(new ErrorEvent('error', { error: new WebAssembly.RuntimeError('unreachable'), message: 'unreachable' })));
    const dialog = page.getByRole('dialog', { name: 'The page has stopped' });
    await dialog.getByText('1 drop').waitFor();
    assert.deepEqual(await h.axe(page), [], 'axe on the dialog');
    await h.picture(page, 'stopped');
    await dialog.getByRole('button', { name: 'Restart' }).click();
    await dialog.waitFor({ state: 'detached' });
    await h.waitFor(page, 'ready');
    await heading(page).filter({ hasText: 'Statistics' }).waitFor();
    assert.deepEqual((await h.exportReport(page)).bytes, before, 'files, view and rules are as they were');
  }
  // One program listens, not three: one press, one step.
  await page.keyboard.press('2');
  await heading(page).filter({ hasText: 'Cases' }).waitFor();
  await page.goBack();
  await heading(page).filter({ hasText: 'Statistics' }).waitFor();
  await page.context().close();
});

test('another page begins at its top, and a narrow screen shows which page it is', async () => {
  const page = await opened({ viewport: { width: 360, height: 780 } });
  for (const name of ['Trends', 'Audit', 'Notes', 'Overview']) {
    await page.evaluate(() => { document.getElementById('main').scrollTop = 400; });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    await page.locator('.bar__page[aria-current]').filter({ hasText: name }).waitFor();
    await page.waitForFunction(() => document.getElementById('main').scrollTop === 0);
    await page.waitForFunction(() => {
      const here = document.querySelector('.bar__page[aria-current]').getBoundingClientRect();
      return here.left >= 0 && here.right <= innerWidth;
    });
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
