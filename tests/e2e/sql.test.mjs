// SQL in the page: ready queries, completion, an error at its place, cancel, chart, CSV, link, history; over a dataset by ranges.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const program = (name) => join(process.env.CARGO_TARGET_DIR || join(h.root, 'target'), 'debug/examples', name);
const LETTA = join(h.fixtures, 'letta-evals/0.26.0_reward_multirun'), REBEL = join(h.fixtures, 'rebel/basic');
let env, temp;

before(async () => {
  temp = mkdtempSync(join(tmpdir(), 'evalglass-sql-'));
  execFileSync(program('report'), ['--dataset', join(temp, 'evals'), LETTA, REBEL], { stdio: 'ignore' });
  env = await h.start({ mounts: { '/lab/evals/': join(temp, 'evals') } });
});
after(async () => { await env?.stop(); if (temp) rmSync(temp, { recursive: true, force: true }); });

const field = (page) => page.getByRole('textbox', { name: 'Query' });
const answered = (page) => page.locator('.sql__answered');
/** Runs `text`, and waits for the first rows of its answer or for what is wrong. */
async function ask(page, text) {
  await field(page).fill(text);
  await field(page).press('Control+Enter');
  await page.waitForFunction(() => {
    const rows = document.querySelector('.sql__rows');
    return !document.querySelector('.sql__state') && document.querySelector('.sql__answered, .sql__message') && (!rows || rows.querySelector('[role="cell"]'));
  }, null, { timeout: 90_000 });
}
const cells = (page) => page.locator('.sql__rows .grid__body [role="cell"]').evaluateAll((all) => all.map((cell) => cell.textContent.trim()));
const ready = (page) => page.locator('.sql__name').first().waitFor({ timeout: 90_000 });

async function open(folder, { dataset, ...options } = {}) {
  const page = await h.openPage(env, options);
  if (dataset) {
    await h.openFolder(page, dataset);
    await h.waitFor(page, 'ready');
  }
  for (const one of [folder].flat()) {
    await h.drop(page, one);
    await h.waitFor(page, 'ready');
  }
  await h.go(page, 'SQL');
  await ready(page);
  return page;
}

test('a ready query gives the figures of the report; table, chart, CSV, link and history', async () => {
  const page = await open([LETTA, REBEL]);
  assert.deepEqual(await h.axe(page), []);
  await page.getByRole('button', { name: /^run_figures / }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'sql-editor', 'the query is there to be changed');
  await field(page).press('Control+Enter');
  await answered(page).filter({ hasText: /^\d+ rows/ }).waitFor({ timeout: 60_000 });
  const { runs, cases } = await h.status(page);
  assert.match(await answered(page).innerText(), new RegExp(`^${runs} rows`));
  await ask(page, 'SELECT COUNT(*) AS n, COUNT(DISTINCT evaluation) AS evaluations FROM cases');
  assert.deepEqual(await cells(page), [String(cases), '2']);
  assert.deepEqual(await h.axe(page), []);

  await ask(page, 'SELECT producer, COUNT(*) AS n, AVG(score) AS mean FROM cases GROUP BY producer ORDER BY producer');
  const shown = await cells(page);
  assert.equal(shown.length, 6);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.locator('.sql__bars tbody tr').nth(1).waitFor();
  assert.equal(await page.locator('.sql__bars thead').innerText().then((text) => /producer\s+n/.test(text)), true);
  assert.deepEqual(await h.axe(page), []);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()]);
  const csv = readFileSync(await download.path(), 'utf8');
  assert.match(csv, /^producer,n,mean\n/);
  assert.equal(csv.trim().split('\n').length, 3);

  const address = await page.evaluate(() => location.hash);
  assert.match(address, /#\/2\/sql\?(.*&)?query=SELECT/);
  assert.equal(await page.getByRole('region', { name: 'History' }).getByRole('listitem').count(), 3);
  await page.goto('about:blank');
  await page.goto(`${env.url}${address}`);
  // Before the program runs nobody takes what is dropped.
  await h.waitFor(page, 'idle');
  await h.drop(page, REBEL);
  await answered(page).filter({ hasText: '1 row' }).waitFor({ timeout: 90_000 });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('completion by keyboard, an error at its place, and only reading', async () => {
  const page = await open(REBEL);
  await field(page).fill('');
  await field(page).pressSequentially('SELECT case_id FROM cas');
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  await options.filter({ hasText: /^case_facts/ }).waitFor();
  assert.deepEqual((await options.locator('.options__label').allInnerTexts()).slice(0, 2), ['case_facts', 'cases']);
  await page.keyboard.press('Escape');
  await options.first().waitFor({ state: 'hidden' });
  await field(page).pressSequentially('es c WHERE c.case_i');
  await options.filter({ hasText: 'case_id' }).first().waitFor();
  assert.deepEqual(await h.axe(page), []);
  await page.keyboard.press('Enter');
  assert.equal(await field(page).inputValue(), 'SELECT case_id FROM cases c WHERE c.case_id');

  await ask(page, 'SELECT case_id\nFROM cases\nWHERE nothing_of_the_kind = 1');
  const error = page.locator('.sql__error');
  await error.filter({ hasText: /nothing_of_the_kind/ }).waitFor();
  await error.filter({ hasText: 'Line 3, column 7' }).waitFor();
  assert.deepEqual(await h.axe(page), []);
  await h.picture(page, 'sql-error');
  await page.getByRole('button', { name: 'Show in query' }).click();
  const at = await field(page).evaluate((own) => own.value.slice(own.selectionStart, own.selectionStart + 7));
  assert.equal(at, 'nothing');
  await ask(page, 'SELEC 1');
  await error.filter({ hasText: 'Line 1, column 1' }).waitFor();
  for (const text of ["COPY (SELECT 1) TO 'x.csv'", 'CREATE TABLE t AS SELECT 1', "SET datafusion.execution.batch_size = '1'"]) {
    await ask(page, text);
    assert.equal(await answered(page).count(), 0, text);
  }
  // What is from a file is text: nothing of it becomes markup.
  await ask(page, "SELECT '<img src=x onerror=alert(1)>' AS \"<b>name</b>\"");
  assert.deepEqual(await cells(page), ['<img src=x onerror=alert(1)>']);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a long result scrolls to its end, a long query is stopped, and the page goes on', async () => {
  const page = await open(REBEL, { again: true });
  await ask(page, 'SELECT value, value * 2 AS twice FROM generate_series(1, 50000) AS t(value)');
  assert.match(await answered(page).innerText(), /^50,000 rows/);
  await page.locator('.sql__rows').evaluate((own) => { own.scrollTop = own.scrollHeight; });
  await page.locator('.sql__rows').getByRole('cell', { name: '100,000', exact: true }).waitFor();
  await field(page).fill('SELECT SUM(a.value * b.value * c.value) FROM generate_series(1, 100000) AS a(value), generate_series(1, 100000) AS b(value), generate_series(1, 1000) AS c(value)');
  await field(page).press('Control+Enter');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor({ timeout: 60_000 });
  await ask(page, 'SELECT 41 + 1 AS answer');
  assert.deepEqual(await cells(page), ['42']);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('what is opened later is there for the next query', async () => {
  const page = await open(REBEL);
  await ask(page, 'SELECT COUNT(*) FROM evaluations');
  assert.deepEqual(await cells(page), ['1']);
  await h.drop(page, LETTA);
  // The answer that is shown was one about less: it is asked for again.
  await page.waitForFunction(() => document.querySelector('.sql__rows [role="cell"]')?.textContent.trim() === '2', null, { timeout: 90_000 });
  await ask(page, 'SELECT producer FROM evaluations ORDER BY producer');
  assert.deepEqual(await cells(page), ['letta-evals', 'rebel']);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a dataset on a server is asked by ranges', async () => {
  const page = await h.openPage(env, { query: '?src=../evals/manifest.json', fetches: true });
  await h.waitFor(page, 'ready');
  await h.go(page, 'SQL');
  await ready(page);
  await ask(page, 'SELECT evaluation, COUNT(*) AS n FROM cases GROUP BY evaluation ORDER BY evaluation');
  assert.match(await answered(page).innerText(), /fetched in \d+ requests/);
  assert.equal((await cells(page)).length, 4);
  assert.deepEqual(await h.axe(page), []);

  // A slow server: what has come is said meanwhile, and the editor still knows how a text goes on.
  let nAsked = 0, release;
  const released = new Promise((then) => { release = then; });
  await page.context().route('**/evals/cases/**', async (route) => {
    nAsked += 1;
    if (nAsked > 1) await released;
    await route.continue();
  });
  await field(page).fill('SELECT AVG(score) AS mean FROM cases');
  await field(page).press('Control+Enter');
  await page.locator('.sql__state', { hasText: /^Running … [\d.,]+ \w?B fetched in \d requests?$/ }).waitFor();
  await field(page).fill('');
  await field(page).pressSequentially('SELECT case_id FROM cas');
  await page.getByRole('listbox', { name: 'Completions' }).getByRole('option').filter({ hasText: /^case_facts/ }).waitFor();
  assert.equal(await page.locator('.sql__state').count(), 1, 'the query is still being worked on');
  release();
  await page.waitForFunction(() => !document.querySelector('.sql__state') && document.querySelector('.sql__answered'));
  assert.ok(nAsked >= 4, `${nAsked} requests`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a part that is missing or cut off is named by the queries that need it, and the rest is answered', async () => {
  for (const [name, damage, says] of [['missing', (part) => rmSync(part), /the part is missing/], ['cut', (part) => truncateSync(part, 300), /damaged: it ends after 300 bytes/]]) {
    const evals = join(temp, name);
    cpSync(join(temp, 'evals'), evals, { recursive: true });
    const parts = readdirSync(join(evals, 'cases/producer=letta-evals'), { recursive: true }).filter((path) => path.endsWith('.parquet'));
    assert.equal(parts.length, 1);
    damage(join(evals, 'cases/producer=letta-evals', parts[0]));
    const page = await open([], { dataset: evals });
    await ask(page, 'SELECT COUNT(*) FROM runs');
    assert.deepEqual(await cells(page), ['5'], 'small tables need no part');
    await ask(page, "SELECT COUNT(*) FROM cases WHERE producer = 'rebel'");
    assert.deepEqual(await cells(page), ['26']);
    await ask(page, 'SELECT AVG(score) FROM cases');
    const error = await page.locator('.sql__message').innerText();
    assert.match(error, says);
    assert.match(error, /cases\/producer=letta-evals/);
    assert.deepEqual(await h.axe(page), []);
    await page.context().close();
  }
});

test('on a phone it fits, and the single file says that it comes without', async () => {
  const page = await h.openPage(env, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await h.drop(page, LETTA);
  await h.waitFor(page, 'ready');
  await page.evaluate(() => { location.hash = '#/2/sql?query=SELECT%20*%20FROM%20runs'; });
  await answered(page).waitFor({ timeout: 90_000 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  assert.deepEqual(await h.axe(page), []);
  await h.picture(page, 'sql-phone-dark');
  await page.context().close();

  const single = await h.openPage({ ...env, url: `${env.url}evalglass.html` }, { fetches: true });
  await h.drop(single, LETTA);
  await h.waitFor(single, 'ready');
  assert.equal(await single.getByRole('link', { name: 'SQL', exact: true }).count(), 0);
  await single.evaluate(() => { location.hash = '#/2/sql'; });
  await single.getByRole('alert').filter({ hasText: 'comes without the SQL engine' }).waitFor();
  assert.deepEqual(await h.axe(single), []);
  await single.context().close();
});
