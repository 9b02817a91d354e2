// Links: a deep view in another browser, files that are not there yet, back and forward over them, addresses of older versions.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const letta = 'letta-evals/0.20.0_suite', slop = 'slop-code/g2/v1.0';
const lettaKey = 'letta-evals:published/0.20.0_suite';
const rebel = readdirSync(join(h.fixtures, 'rebel/basic')).find((name) => name.startsWith('test_results'));
let env, temp;
before(async () => {
  temp = mkdtempSync(join(tmpdir(), 'evalglass-'));
  const home = join(temp, 'published');
  for (const folder of [letta, slop]) cpSync(join(h.fixtures, folder), join(home, basename(folder)), { recursive: true, filter: (path) => !/expected\.json|console\.txt/.test(path) });
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  writeFileSync(join(home, 'list.json'), JSON.stringify(files.map((entry) => relative(home, join(entry.parentPath, entry.name)))));
  // The same files, as somebody else keeps them.
  mkdirSync(join(temp, 'mine'));
  cpSync(home, join(temp, 'mine/published'), { recursive: true });
  rmSync(join(temp, 'mine/published/list.json'));
  env = await h.start({ mounts: { '/published/': home } });
});
after(async () => { await env?.stop(); if (temp) rmSync(temp, { recursive: true, force: true }); });

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const toast = (page) => page.locator('.toast');
const copied = async (page) => {
  await page.getByRole('button', { name: 'Copy link' }).click();
  await toast(page).filter({ hasText: 'Copied.' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
};
const to = (page, hash) => page.evaluate((hash) => { location.hash = hash; }, hash);
const caseId = (page) => page.locator('.case__id');
const lost = (page) => page.getByRole('region', { name: 'Link' });

/** What a reader sees of a case: address, rules, title, place in the table, the whole page, the message that is marked and in sight. */
async function seen(page) {
  const marked = page.locator('.turn[aria-current="location"]');
  await marked.waitFor();
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('.turn[aria-current="location"]').getBoundingClientRect();
    return bottom > 0 && top < innerHeight && document.activeElement?.matches('.turn');
  });
  await page.locator('.case__position').filter({ hasText: ' of ' }).waitFor();
  return {
    hash: await page.evaluate(() => location.hash),
    rules: await page.locator('.strip').innerText(),
    title: await caseId(page).innerText(),
    crumbs: await page.locator('.case__crumbs').innerText(),
    outcome: await page.locator('.case__outcome').innerText(),
    position: await page.locator('.case__position').innerText(),
    tree: await page.getByRole('treeitem', { selected: true }).innerText(),
    marked: await marked.getAttribute('id'),
    report: (await h.exportReport(page)).bytes.toString(),
  };
}

test('a link from a deep view reopens it in another browser: run, filter, order, rules, case, message', async () => {
  const page = await h.openPage(env, { query: '?src=/published/list.json', fetches: true, ...clipboard });
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const run = page.getByRole('treeitem').filter({ hasText: 'gpt-4.1-mini' }).first();
  await run.click();
  await h.go(page, 'Cases');
  await page.locator('#case-search').fill('-id:zzz');
  await page.waitForFunction(() => /find=-id:zzz/.test(location.hash));
  for (const order of ['by=score', 'by=-score']) {
    await page.locator('#case-sort-score').click();
    await page.waitForFunction((order) => location.hash.includes(order), order);
  }
  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /^#\/2\/cases\?of=letta-evals:published\/0\.20\.0_suite&run=.*gpt-4\.1-mini&find=-id:zzz&by=-score$/);
  await to(page, `${hash}&set.policy=all-cases&set.gate=${encodeURIComponent('p50(*) >= 0.4')}&set.weight:checkpoint_1-Core=0.5&set.errors=zero`);
  await page.locator('.strip__words').first().waitFor();
  await page.locator('#case-row-0').waitFor();
  await page.locator('#case-grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await caseId(page).waitFor();
  assert.deepEqual(await h.axe(page), []);
  // By keyboard: the link of the last message.
  const link = page.locator('.turn__link').last();
  await link.focus();
  await h.picture(page, 'message-link');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /&msg=\d+/.test(location.hash));
  const address = await copied(page);
  assert.ok(address.startsWith(`${env.url}?src=/published/list.json#/2/cases?of=`), address);
  assert.doesNotMatch(address, /\b(of|run|case)=~?\d/, 'no number of this session');
  assert.doesNotMatch(await toast(page).innerText(), /needs/, 'the data is in the address');
  await page.locator('.turn[aria-current="location"]').focus();
  const here = await seen(page);

  const other = await h.openPage({ ...env, url: '' }, { query: address, fetches: true, ...clipboard });
  assert.equal(await h.waitFor(other, 'ready', 'failed'), 'ready');
  const there = await seen(other);
  assert.deepEqual(there, here);
  await other.getByRole('button', { name: '← All cases' }).click();
  assert.equal(await other.locator('#case-search').inputValue(), '-id:zzz');
  assert.equal(await other.getByRole('columnheader', { name: /^Score/ }).getAttribute('aria-sort'), 'descending');
  for (const each of [page, other]) { assert.deepEqual(each.problems, []); await each.context().close(); }
});

test('without the data the page says what to drop, keeps the link until it is there, and goes back and forward over it', async () => {
  const page = await h.openPage(env, clipboard);
  await h.openFolder(page, join(h.fixtures, letta));
  await h.waitFor(page, 'ready');
  await h.go(page, 'Cases');
  await page.locator('#case-row-2').click();
  const title = await caseId(page).innerText();
  const address = await copied(page);
  await toast(page).filter({ hasText: 'The link holds the view, not the data: anyone who opens it needs 0.20.0_suite.' }).waitFor();
  await page.context().close();

  const other = await h.openPage({ ...env, url: '' }, { query: address });
  await lost(other).getByText(/This link leads to case .* in evaluation “letta-evals:0\.20\.0_suite”\. It is not open\./).waitFor();
  await lost(other).getByText('Drop the folder or file that holds “0.20.0_suite”.').waitFor();
  assert.deepEqual(await h.axe(other), []);
  await h.picture(other, 'link-waits');
  // Something else keeps saying so; the address stays.
  await h.openFiles(other, join(h.fixtures, 'rebel/basic', rebel));
  await h.waitFor(other, 'ready');
  await lost(other).waitFor();
  assert.equal(await other.evaluate(() => location.href), address);
  assert.deepEqual(await h.axe(other), []);
  await h.picture(other, 'link-lost');
  await lost(other).getByRole('link', { name: 'Go to the overview instead' }).click();
  await lost(other).waitFor({ state: 'detached' });
  await h.go(other, 'Audit');
  await other.goBack();
  await other.goBack();
  await lost(other).waitFor();
  await other.goForward();
  await lost(other).waitFor({ state: 'detached' });
  await other.goBack();
  await lost(other).waitFor();
  // A folder around it will do.
  await h.openFolder(other, join(temp, 'mine'));
  await caseId(other).filter({ hasText: title }).waitFor();
  assert.match(await other.evaluate(() => location.hash), /of=letta-evals:mine\/published\/0\.20\.0_suite&/);
  await other.goForward();
  await other.getByRole('main').getByRole('heading', { level: 1 }).filter({ hasNotText: title }).waitFor();
  await other.goBack();
  await caseId(other).filter({ hasText: title }).waitFor();
  assert.deepEqual(other.problems, []);
  await other.context().close();
});

test('a case that its run does not have is said, and the table is offered', async () => {
  const page = await h.openPage(env, { query: `?src=/published/list.json#/2/cases?of=${lettaKey}&case.run=nobody&case=7`, fetches: true });
  await h.waitFor(page, 'ready');
  await lost(page).getByText('That evaluation is open, but it holds no such run.').waitFor();
  await page.getByRole('treeitem').filter({ hasText: 'gpt-4.1-mini' }).first().click();
  await h.go(page, 'Cases');
  await page.locator('#case-row-0').click();
  await caseId(page).waitFor();
  await page.evaluate(() => { location.hash = location.hash.replace(/([?&]case=)[^&]*/, '$1gone'); });
  await page.getByText('There is no case “gone” in this run.').waitFor();
  assert.deepEqual(await h.axe(page), []);
  await page.getByRole('link', { name: 'The cases of this run' }).click();
  await page.locator('#case-row-0').waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('back and forward between messages of a case, and the outline names them in the address', async () => {
  const page = await h.openPage(env, { query: '?src=/published/list.json', fetches: true });
  await h.waitFor(page, 'ready');
  await page.getByRole('treeitem').filter({ hasText: 'gpt-4.1-mini' }).first().click();
  await h.go(page, 'Cases');
  await page.locator('#case-row-0').click();
  await caseId(page).waitFor();
  const steps = await page.evaluate(() => history.length);
  await page.getByRole('navigation', { name: 'Sections of this case' }).getByRole('button', { name: 'Transcript' }).click();
  await page.waitForFunction(() => /&part=transcript/.test(location.hash));
  await page.locator('.turn__link').nth(1).click();
  await page.waitForFunction(() => /&msg=\d+/.test(location.hash) && !/part=/.test(location.hash));
  assert.equal(await page.evaluate(() => history.length), steps, 'a message is no step');
  const marked = page.locator('.turn[aria-current="location"]');
  const second = await marked.getAttribute('id');
  await page.evaluate(() => { location.hash = location.hash.replace(/&msg=\d+/, '&msg=1'); });
  await page.waitForFunction((second) => { const id = document.querySelector('.turn[aria-current="location"]')?.id; return id && id !== second; }, second);
  await page.goBack();
  await page.waitForFunction((second) => document.querySelector('.turn[aria-current="location"]')?.id === second, second);
  const title = await caseId(page).innerText();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForFunction(() => !/msg=/.test(location.hash));
  // The address changes at once; the case before stays, with its mark, until the next one has been read.
  await caseId(page).filter({ hasNotText: title }).waitFor();
  assert.equal(await marked.count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

// Kept as they were written: they open what they opened.
test('links of version 1 open what they opened', async () => {
  const open = async (hash) => {
    const page = await h.openPage(env, { query: `?src=/published/list.json${hash}`, fetches: true });
    await h.waitFor(page, 'ready');
    return page;
  };
  const n = await (async () => {
    const page = await open('');
    const items = await page.getByRole('treeitem').allInnerTexts();
    await page.context().close();
    return items.findIndex((text) => text.includes('v1.0') || text.includes('maple')) === 1 ? 0 : 1;
  })();
  const page = await open(`#/1/cases?of=${n}.0&find=test&only=failed,passed&by=score&down&case=${n}.0.8&at=3&set.policy=all-cases`);
  await caseId(page).filter({ hasText: 'test_unicode_names' }).waitFor();
  await page.waitForFunction(() => location.hash.startsWith('#/2/cases?of=slop-code:published/v1.0/maple-3_20260430T1200&run=inventory_api/checkpoint_1/maple&find=outcome:failed,passed%20test&by=-score&case=checkpoint_1-Functionality/test_unicode_names&at=3'));
  await page.locator('.strip__words').filter({ hasText: 'policy all-cases' }).waitFor();
  await page.evaluate((n) => { location.hash = `#/1/overview?of=${n}.0&how=${n}.0.8`; }, n);
  await page.getByRole('heading', { name: /Score breakdown: test_unicode_names/ }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
