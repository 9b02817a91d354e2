// What assistive tools are told: the accessibility tree of every page and dialog, and where the focus goes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';
import { faults, treeOf } from './tree.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

/** Words of addresses and headings of the pages that everything has. */
const PAGES = { overview: 'Everything', cases: 'Cases', failures: 'Failures', rules: 'Policies & gates', statistics: 'Statistics', trends: 'Trends', audit: 'Audit', notes: 'Notes' };

const SETS = {
  'slop-code': { folder: 'slop-code/g1/runs', more: ['#/1/agent', '#/1/agent?of=0.0', '#/1/cases?case=0.0.1'], levels: { 1: 2, 2: 5 } },
  'letta-evals': { folder: 'letta-evals/0.26.0_reward_multirun', more: ['#/1/cases?case=0.0.0'], levels: { 1: 2, 2: 4 } },
  rebel: { folder: 'rebel', more: ['#/1/cases?case=0.0.0'], levels: { 1: 8 } },
};

const show = async (page, hash) => {
  await page.evaluate((to) => { location.hash = to; }, hash);
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.waitForTimeout(250);
};

const opened = async (folder, options = {}) => {
  const page = await h.openPage(env, { viewport: { width: 1440, height: 900 }, ...options });
  await h.drop(page, join(h.fixtures, folder));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  return page;
};

const sound = async (page, where) => {
  const nodes = await treeOf(page);
  assert.deepEqual(faults(nodes), [], where);
  return nodes;
};

const names = (nodes, role) => nodes.filter((node) => node.role === role).map((node) => node.name);

test('what is wrong with a tree is found', async () => {
  const page = await (await env.browser.newContext()).newPage();
  await page.setContent(`<header></header><header></header><main><h1>One</h1><h1>Two</h1><h4>Far below</h4>
    <button></button><button aria-label="Save" title="Save">s</button><img src="x"><a href="#x"></a><input>
    <article aria-label="A">a</article><article aria-label="A">b</article>
    <button aria-haspopup="menu">Menu</button><section aria-label="Part">1</section><section aria-label="Part">2</section></main>
    <button>Lost</button>`);
  const found = faults(await treeOf(page)).join('\n');
  for (const wanted of [
    /2 headings of level 1: heading "One", heading "Two"/, /level 4 after 1: heading "Far below"/, /no name: button/, /no name: link/, /no name: textbox/,
    /no name: (img|image)/, /the description repeats the name: button "Save"/, /several articles are called "A"/,
    /not said whether expanded: button "Menu"/, /several region are called "Part"/, /in no landmark: button "Lost"/, /2 times banner/, /0 times contentinfo/,
  ]) assert.match(found, wanted);
});

test('start: one heading, both ways to open, the sample', async () => {
  const page = await h.openPage(env);
  const nodes = await sound(page, 'start');
  assert.deepEqual(nodes.filter((node) => node.role === 'heading' && node.level === 1).map((node) => node.name), ['See what passed, what failed, and why']);
  const controls = names(nodes, 'button');
  for (const name of ['Open folder', 'Open files', 'Try sample results']) assert.ok(controls.includes(name), `${name}: ${controls}`);
  assert.deepEqual(page.problems, []);
});

for (const [set, { folder, more, levels }] of Object.entries(SETS)) {
  test(`${set}: every page`, async () => {
    const page = await opened(folder);
    for (const [word, heading] of Object.entries(PAGES)) {
      await show(page, `#/1/${word}`);
      const nodes = await sound(page, word);
      assert.deepEqual(nodes.filter((node) => node.role === 'heading' && node.level === 1).map((node) => node.name), [heading]);
      const items = nodes.filter((node) => node.role === 'treeitem');
      const count = {};
      for (const { level } of items) count[level] = (count[level] ?? 0) + 1;
      assert.deepEqual(count, levels, word);
      assert.equal(items.filter((item) => item.selected).length, 1, `${word}: one item is selected`);
      assert.equal(await page.locator('nav [aria-current="page"]').count(), 1, `${word}: one page is the current one`);
    }
    for (const hash of more) {
      await show(page, hash);
      await sound(page, hash);
    }
    assert.deepEqual(page.problems, []);
  });
}

test('a column that is sorted says so, in a table and in the grid', async () => {
  const page = await opened('slop-code/g1/runs');
  await show(page, '#/1/failures');
  const head = page.getByRole('columnheader', { name: 'Cases' }).first();
  assert.equal(await head.getAttribute('aria-sort'), null);
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  await head.getByRole('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  await show(page, '#/1/cases');
  const grid = page.getByRole('grid', { name: 'Cases' });
  assert.equal(await grid.getAttribute('aria-rowcount'), '26', 'all rows and the head');
  const score = grid.getByRole('columnheader', { name: /^Score/ });
  await score.getByRole('button').first().click();
  await page.waitForFunction(() => document.querySelector('[role=columnheader][aria-sort]'));
  assert.match(await score.getAttribute('aria-sort'), /ascending|descending/);
});

test('each message of a transcript is an article with a name of its own', async () => {
  const page = await opened('letta-evals/0.26.0_reward_multirun');
  await show(page, '#/1/cases?case=0.0.0');
  await page.getByRole('article').first().waitFor();
  const articles = names(await treeOf(page), 'article');
  assert.ok(articles.length > 3, `${articles}`);
  articles.forEach((name, at) => assert.match(name, /^Message \d+, \S/, `article ${at}`));
});

test('dialogs and menus: a name, a title, nothing without one; the focus comes back', async () => {
  const page = await opened('slop-code/g1/runs');
  await page.getByRole('treeitem').nth(1).click();
  const dialogs = { 'Control+k': null, 'Shift+?': 'Keyboard shortcuts', ',': 'Settings', F2: 'Rename' };
  for (const [key, name] of Object.entries(dialogs)) {
    await page.keyboard.press(key);
    await page.locator('dialog[open]').waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
    await page.waitForTimeout(150);
    const nodes = await sound(page, key);
    const dialog = nodes.find((node) => node.role === 'dialog');
    assert.equal(dialog.modal, true, `${key}: nothing behind it can be reached`);
    if (name) assert.equal(dialog.name, name);
    await h.focused(page, (it) => it?.closest('dialog')?.open === true, `${key}: the focus is in it`);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  const button = page.getByRole('button', { name: 'Export', exact: true });
  await button.click();
  const menu = await sound(page, 'the menu of exports');
  assert.ok(names(menu, 'menuitem').length > 5);
  await page.keyboard.press('Escape');
  await h.focused(page, (it) => it?.textContent.trim() === 'Export', 'the focus goes back to the button');
  await button.click();
  await page.getByRole('menuitem', { name: /^Save as HTML/ }).click();
  await page.getByRole('dialog', { name: 'Save as HTML' }).getByRole('button', { name: 'Prepare' }).waitFor();
  await sound(page, 'saving as HTML');
  await page.keyboard.press('Escape');
  await show(page, '#/1/cases');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('dialog', { name: 'Columns' }).waitFor();
  await sound(page, 'choosing columns');
  await page.keyboard.press('Escape');
  assert.deepEqual(page.problems, []);
});

const focused = (page) => page.evaluate(() => ({ tag: document.activeElement.tagName, words: document.activeElement.textContent.trim().slice(0, 60) }));
/** Waits until the heading with these words has the focus. */
const onHeading = (page, words) => page.waitForFunction(
  (wanted) => document.activeElement.tagName === 'H1' && document.activeElement.textContent === wanted, words, { timeout: 5_000 },
).catch(async () => assert.fail(`the focus is on ${JSON.stringify(await focused(page))}, wanted the heading "${words}"`));

test('the focus goes to the heading after loading, after a page key, and into a case', async () => {
  const page = await opened('slop-code/g1/runs');
  const first = await page.locator('main h1').innerText();
  await onHeading(page, first);
  // From wherever it was: here from the tree.
  await page.getByRole('treeitem').first().click();
  for (const [at, heading] of Object.values(PAGES).entries()) {
    await page.keyboard.press(`${at + 1}`);
    await onHeading(page, heading);
    if (at === 2) await page.getByRole('treeitem').first().focus();
  }
  // The heading is no stop on the way of Tab.
  await page.keyboard.press('Tab');
  assert.notEqual((await focused(page)).tag, 'H1');
  await page.keyboard.press('2');
  const grid = page.getByRole('grid', { name: 'Cases' });
  await grid.getByRole('row').nth(1).waitFor();
  // The heading takes the focus once; before that it would take it away again.
  await onHeading(page, PAGES.cases);
  await grid.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /case=/.test(location.hash));
  await page.locator('main h1').waitFor();
  await onHeading(page, await page.locator('main h1').textContent());
  await page.keyboard.press('Escape');
  await grid.waitFor();
  await page.waitForFunction(() => document.activeElement.getAttribute('role') === 'grid');
  assert.deepEqual(page.problems, []);
});

test('the sample takes the focus to the heading too', async () => {
  const page = await h.openPage(env, { again: true });
  await page.getByRole('button', { name: 'Try sample results' }).click();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await onHeading(page, await page.locator('main h1').textContent());
});
