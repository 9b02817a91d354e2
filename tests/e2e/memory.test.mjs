// What this device keeps: recent files and settings, listed, removable, off with one switch; and nothing else.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env, folder;
before(async () => { env = await h.start({ mounts: { '/lab/results/': h.fixtures } }); folder = mkdtempSync(join(tmpdir(), 'evalglass-memory-')); });
after(async () => { await env?.stop(); rmSync(folder, { recursive: true, force: true }); });

const name = readdirSync(join(h.fixtures, 'rebel/basic')).find((file) => file.startsWith('test_results'));
const report = readFileSync(join(h.fixtures, 'rebel/basic', name), 'utf8');
const recent = (page) => page.locator('.recent__item');
const names = (page) => page.locator('.recent__name').allInnerTexts();
const openSettings = async (page) => { await page.keyboard.press(','); await page.getByRole('switch').waitFor(); };
// The browser gives the focus back to the page a moment after it has closed the dialog.
const closeSettings = async (page) => { await page.keyboard.press('Escape'); await page.waitForFunction(() => !document.activeElement.closest('dialog')); };
const again = async (page) => { await page.reload(); await h.waitFor(page, 'idle'); };

/** All that the browser holds of the page. */
const stored = (page) => page.evaluate(async () => ({
  settings: Object.keys(localStorage).sort(),
  session: Object.keys(sessionStorage),
  cookies: document.cookie,
  databases: (await indexedDB.databases()).map((one) => one.name),
  caches: await caches.keys(),
}));

/** Files in the browser's own file system, whose handles are like those of dropped ones; opens them as the list does. */
const openOwn = (page, ...files) => page.evaluate(async (wanted) => {
  const root = await navigator.storage.getDirectory();
  const handles = [];
  for (const [path, text] of wanted) {
    const handle = await root.getFileHandle(path, { create: true });
    const writer = await handle.createWritable();
    await writer.write(text);
    await writer.close();
    handles.push(handle);
  }
  window.evalglass.reopen(handles);
}, files);

/** Waits until the list says so. */
const listed = (page, ...wanted) => page.waitForFunction((all) => JSON.stringify([...document.querySelectorAll('.recent__name')].map((one) => one.textContent)) === JSON.stringify(all), wanted);

/** Waits until the list has been written. Then once more: Chromium now and then loses what was written right before a reload, committed or not. */
const kept = async (page, n) => {
  const isKept = () => page.waitForFunction(async (wanted) => {
    if (!(await indexedDB.databases()).some((one) => one.name === 'evalglass')) return wanted === 0;
    const database = await new Promise((done) => { const opening = indexedDB.open('evalglass'); opening.onsuccess = () => done(opening.result); });
    const entries = await new Promise((done) => { const asked = database.transaction('recent').objectStore('recent').get('recent'); asked.onsuccess = () => done(asked.result); });
    database.close();
    return entries?.length === wanted;
  }, n);
  await isKept();
  await page.waitForTimeout(300);
  await isKept();
};

test('a dropped folder is listed at the next visit, opens again, and is watched as before', async () => {
  const run = join(folder, 'nightly');
  cpSync(join(h.fixtures, 'rebel/basic'), run, { recursive: true });
  const page = await h.openPage(env);
  await h.drop(page, run);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const { cases } = await h.status(page);
  await kept(page, 1);
  await again(page);
  await recent(page).waitFor();
  assert.deepEqual(await names(page), ['nightly']);
  assert.match(await recent(page).innerText(), /failed[\s\S]*Folder[\s\S]*\d{4}-\d\d-\d\d \d\d:\d\d/, 'with its verdict');
  await page.getByRole('button', { name: 'Open nightly again' }).click();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.equal((await h.status(page)).cases, cases);
  await page.getByRole('button', { name: 'Watch' }).click();
  cpSync(join(h.fixtures, 'rebel/edge'), join(run, 'more'), { recursive: true });
  await page.waitForFunction((n) => Number(/([\d,]+) cases/.exec(document.querySelector('[role="status"]').textContent)?.[1].replace(',', '')) > n, cases, { timeout: 15_000 });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('each thing is listed once, the newest first, ten at most; any and all are removed', async () => {
  const page = await h.openPage(env);
  for (let i = 0; i < 12; i += 1) {
    await page.evaluate(async (at) => {
      const root = await navigator.storage.getDirectory();
      window.evalglass.keepRecent([await root.getFileHandle(`${at}.json`, { create: true })]);
    }, i);
  }
  const ten = ['11', '10', '9', '8', '7', '6', '5', '4', '3', '2'].map((at) => `${at}.json`);
  await listed(page, ...ten);
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const file = (at) => root.getFileHandle(`${at}.json`);
    window.evalglass.keepRecent([await file(5)]);
    // Two that were dropped together are a thing of their own, in whatever order.
    window.evalglass.keepRecent([await file(3), await file(4)]);
    window.evalglass.keepRecent([await file(4), await file(3)]);
  });
  await listed(page, ...['4.json and 1 more', '5.json', ...ten.filter((one) => one !== '5.json')].slice(0, 10));
  assert.deepEqual(await h.axe(page), []);
  await page.getByRole('button', { name: 'Remove 5.json from the list' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.recent__item').length === 9);
  await h.focused(page, (it) => it?.getAttribute('aria-label') === 'Remove 11.json from the list', 'the focus goes to the next');
  await page.getByRole('button', { name: 'Forget all' }).click();
  await recent(page).first().waitFor({ state: 'detached' });
  await h.focused(page, (it) => it?.id === 'recent-title');
  assert.deepEqual((await stored(page)).databases, []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('what may not be read, or is gone, is said and stays in the list', async () => {
  const page = await h.openPage(env);
  await openOwn(page, [name, report]);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await kept(page, 1);
  await again(page);
  await recent(page).waitFor();
  const open = page.getByRole('button', { name: `Open ${name} again` });
  const why = page.locator('.recent__why');
  const answer = (word) => page.evaluate((given) => { FileSystemHandle.prototype.requestPermission = async () => given; }, word);
  await answer('denied');
  await open.click();
  await why.filter({ hasText: `the browser was not allowed to read ${name}. It stays in the list.` }).waitFor();
  assert.deepEqual(await h.axe(page), []);
  await h.picture(page, 'recent-refused');
  await answer('granted');
  await page.evaluate(async (gone) => { await (await navigator.storage.getDirectory()).removeEntry(gone); }, name);
  await open.click();
  await why.filter({ hasText: 'was deleted, moved or renamed' }).waitFor();
  assert.deepEqual(await names(page), [name]);
  assert.equal(await h.waitFor(page, 'idle', 'failed'), 'idle', 'nothing was tried');
  // Once it is there again, it opens.
  await openOwn(page, [name, report]);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('files without results are not listed', async () => {
  const page = await h.openPage(env);
  await openOwn(page, ['shopping.json', '{"milk": 2}']);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'failed');
  assert.deepEqual([await names(page), (await stored(page)).databases], [[], []]);
  await page.context().close();
});

test('one switch forgets everything at once, and keeps it so', async () => {
  const page = await h.openPage(env, { query: `?src=../results/rebel/basic/${name}`, fetches: true });
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await openOwn(page, [name, report]);
  await kept(page, 1);
  await openSettings(page);
  const box = page.getByRole('switch', { name: 'Remember recent files and settings on this device' });
  assert.equal(await box.isChecked(), true);
  const item = (words) => page.locator('.memory__item').filter({ hasText: words });
  assert.match(await item('Settings').innerText(), /none/);
  await page.getByLabel('Decimals').selectOption('4');
  await closeSettings(page);
  await page.keyboard.press('t');
  await openSettings(page);
  await item('Settings').filter({ hasText: 'numbers and density, colours' }).waitFor();
  await item('Recent files').filter({ hasText: '1 reference' }).waitFor();
  await item('Fetched files').filter({ hasText: /[1-9] cop/ }).waitFor();
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(await stored(page), { settings: ['evalglass-look', 'evalglass-theme'], session: [], cookies: '', databases: ['evalglass'], caches: ['evalglass-results:/lab/evalglass/'] });

  await box.uncheck();
  await page.getByText('Only this choice is kept.').waitFor();
  const nothing = { settings: ['evalglass-memory'], session: [], cookies: '', databases: [], caches: [] };
  assert.deepEqual(await stored(page), nothing);
  await h.focused(page, (it) => it?.id === 'memory-switch');
  await page.getByLabel('Decimals').selectOption('6');
  await closeSettings(page);
  await page.keyboard.press('t');
  await openOwn(page, ['other.json', report]);
  await page.waitForFunction(() => document.querySelectorAll('[role="treeitem"]').length > 3);
  await page.reload();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await openSettings(page);
  assert.equal(await box.isChecked(), false);
  assert.equal(await page.getByLabel('Decimals').inputValue(), 'usual');
  assert.deepEqual(await stored(page), nothing, 'neither settings nor handles nor copies');

  await box.check();
  await page.getByText('only a reference').waitFor();
  await page.getByLabel('Decimals').selectOption('2');
  assert.deepEqual((await stored(page)).settings, ['evalglass-look']);
  await closeSettings(page);
  await openSettings(page);
  await page.getByRole('button', { name: 'Remove settings' }).click();
  await item('Settings').filter({ hasText: 'none' }).waitFor();
  assert.deepEqual((await stored(page)).settings, []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('where storage is forbidden nothing fails, and the switch says why', async () => {
  const init = () => {
    for (const name of ['localStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, { get() { throw new DOMException('forbidden', 'SecurityError'); } });
  };
  const page = await h.openPage(env, { init });
  assert.equal(await h.waitFor(page, 'idle', 'failed'), 'idle');
  assert.equal(await page.locator('#recent').innerText(), '');
  await openSettings(page);
  assert.equal(await page.getByRole('switch').isDisabled(), true);
  await page.getByText('gives the page no storage').waitFor();
  await page.getByLabel('Decimals').selectOption('6');
  await closeSettings(page);
  await h.drop(page, join(h.fixtures, 'rebel/basic'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('where the browser gives out no handles there is no list', async () => {
  const page = await h.openPage(env, { init: () => { delete DataTransferItem.prototype.getAsFileSystemHandle; } });
  await h.drop(page, join(h.fixtures, 'rebel/basic'));
  await h.waitFor(page, 'ready');
  await page.getByRole('button', { name: 'Remove evaluation' }).click();
  await h.waitFor(page, 'idle');
  assert.equal(await page.locator('#recent > *').count(), 0);
  await openSettings(page);
  assert.equal(await page.locator('.memory__item').filter({ hasText: 'Recent' }).count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a program that stops after everything was removed still has the files', async () => {
  const page = await h.openPage(env, { again: true });
  await h.openFolder(page, join(h.fixtures, 'rebel/basic'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await page.getByRole('treeitem', { name: /Everything/ }).click();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await h.waitFor(page, 'idle');
  assert.equal(await page.evaluate(() => window.evalglass.opened.length), 1);
  // What is opened next takes their place.
  await h.openFolder(page, join(h.fixtures, 'rebel/edge'));
  await h.waitFor(page, 'ready');
  assert.equal(await page.evaluate(() => window.evalglass.opened.length), 1);
  await page.context().close();
});

for (const [colorScheme, width, height] of [['light', 1440, 900], ['dark', 390, 844]]) {
  test(`list and switch, ${colorScheme}, ${width} px`, async () => {
    const page = await h.openPage(env, { colorScheme, viewport: { width, height } });
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      for (const one of ['evaluation.json', 'a long name of a file that does not fit into one line of a telephone.jsonl']) window.evalglass.keepRecent([await root.getFileHandle(one, { create: true })]);
      window.evalglass.keepRecent([await root.getDirectoryHandle('outputs', { create: true })]);
    });
    await page.waitForFunction(() => document.querySelectorAll('.recent__item').length === 3);
    await h.picture(page, `recent-${colorScheme}-${width}`);
    assert.deepEqual(await h.axe(page), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page scrolls sideways by ${wide} px`);
    await openSettings(page);
    await h.picture(page, `memory-${colorScheme}-${width}`);
    assert.deepEqual(await h.axe(page), []);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
