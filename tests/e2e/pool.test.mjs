// The readers beside the workspace: how many there are, what one that dies costs, what a cancel ends, and that the result is
// that of one. Which file a reader dies of, and how, is asked for in the address (src/pool/death.rs).
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const dist = process.env.EVALGLASS_DIST ?? join(h.root, 'dist');
let env, big;
before(async () => { env = await h.start(); big = await h.generated({ samples: 5000, megabytes: 40 }); });
after(() => env?.stop());

const readers = async (page) => {
  const names = await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.name).catch(() => '')));
  return names.filter((name) => name.startsWith('reader')).length;
};
/** What the page of notes says, once it says that a reader stopped. */
const notes = async (page) => {
  await h.go(page, 'Notes');
  await page.locator('main').getByText('the reader stopped').first().waitFor({ timeout: 10_000 }).catch(() => {});
  return page.locator('main').innerText();
};

test('there are as many readers as cores, two at least; the address may say how many', async () => {
  for (const [query, wanted] of [['', null], ['?readers=1', 1], ['?readers=3', 3], ['?readers=99', 8]]) {
    const page = await h.openPage(env, { query });
    const n = wanted ?? Math.min(Math.max(await page.evaluate(() => navigator.hardwareConcurrency), 2), 8);
    for (let i = 0; i < 200 && await readers(page) < n; i += 1) await page.waitForTimeout(100);
    assert.equal(await readers(page), n, query);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('the number of readers is a setting, in force from the next visit on', async () => {
  const page = await h.openPage(env);
  await page.keyboard.press(',');
  await page.getByLabel('Parallel readers').selectOption('4');
  assert.deepEqual(await h.axe(page), []);
  await page.reload();
  await h.waitFor(page, 'idle');
  for (let i = 0; i < 200 && await readers(page) !== 4; i += 1) await page.waitForTimeout(100);
  assert.equal(await readers(page), 4);
  await page.keyboard.press(',');
  assert.equal(await page.getByLabel('Parallel readers').inputValue(), '4');
  assert.deepEqual(page.problems, []);
});

test('the report is the same whatever the number of readers', async () => {
  for (const [folder, query] of [['slop-code/g2/v1.0', '?readers=1'], ['slop-code/g2/v1.0', '?readers=5'], ['letta-evals/0.25.1_reward_11runs', '?readers=4']]) {
    const page = await h.openPage(env, { query });
    await h.drop(page, join(h.fixtures, folder));
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
    assert.ok((await h.exportReport(page)).bytes.equals((await h.nativeReport(join(h.fixtures, folder))).bytes), `${folder} ${query}`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

for (const [how, words] of [['panic', 'a fault in the program: a test asked for it'], ['recurse', 'its values lie too deep in one another'], ['allocate', 'it needs more memory than there is']]) {
  test(`a reader that ends by "${how}" costs its file, which is named, and nothing else`, async () => {
    const page = await h.openPage(env, { query: `?trial=${how}:run_2/results.jsonl` });
    const folder = join(h.fixtures, 'letta-evals/0.4.1_multirun');
    await h.drop(page, folder);
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
    const { cases } = await h.status(page);
    const whole = await h.openPage(env);
    await h.drop(whole, folder);
    await h.waitFor(whole, 'ready', 'failed');
    const all = (await h.status(whole)).cases;
    assert.ok(cases > 0 && cases < all, `${cases} of ${all} cases`);
    const text = await notes(page);
    assert.ok(text.includes(words), text.slice(0, 800));
    assert.match(text, /run_2\/results\.jsonl/);
    await h.picture(page, `pool-${how}`);
    // The readers are there again: what is dropped next is read.
    await h.drop(page, join(h.fixtures, 'rebel/basic'));
    await page.waitForFunction(() => /2 evaluations/.test(document.querySelector('[role="status"]').textContent));
    assert.deepEqual(await h.axe(page), []);
    assert.deepEqual(page.problems, []);
  });
}

test('a wrapped file is unwrapped by a reader, which may die of it', async () => {
  const made = mkdtempSync(join(tmpdir(), 'evalglass-pool-'));
  const from = join(h.fixtures, 'letta-evals/0.4.1_multirun');
  for (const run of ['run_1', 'run_2', 'run_3']) {
    mkdirSync(join(made, 'outputs', run), { recursive: true });
    for (const name of ['header.json', 'summary.json']) cpSync(join(from, run, name), join(made, 'outputs', run, name));
    writeFileSync(join(made, 'outputs', run, 'results.jsonl.gz'), gzipSync(readFileSync(join(from, run, 'results.jsonl'))));
  }
  const folder = join(made, 'outputs');
  const page = await h.openPage(env);
  await h.drop(page, folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.ok((await h.exportReport(page)).bytes.equals((await h.nativeReport(folder)).bytes), 'the exported report is the native one');
  // A case is read from where it was unwrapped to.
  await h.go(page, 'Cases');
  await page.getByRole('row').nth(1).click();
  await page.waitForFunction(() => location.hash.includes('case='));
  await page.getByRole('heading', { name: 'Transcript' }).first().waitFor();
  assert.deepEqual(page.problems, []);
  const hurt = await h.openPage(env, { query: '?trial=panic:run_2/results.jsonl.gz' });
  await h.drop(hurt, folder);
  assert.equal(await h.waitFor(hurt, 'ready', 'failed'), 'ready');
  assert.ok((await h.status(hurt)).cases > 0);
  assert.match(await notes(hurt), /the reader stopped while unwrapping this file: a fault in the program: a test asked for it/);
  assert.deepEqual(hurt.problems, []);
  rmSync(made, { recursive: true, force: true });
});

/** A run directory of 12 checkpoints, whose pytest reports are 2 MB each: more than one reader reads alone. */
function largeRunDirectory() {
  const made = mkdtempSync(join(tmpdir(), 'evalglass-pool-'));
  const from = join(h.fixtures, 'slop-code/g2/v1.0/maple-3_20260430T1200');
  const folder = join(made, 'maple-3');
  mkdirSync(folder);
  cpSync(join(from, 'config.yaml'), join(folder, 'config.yaml'));
  for (let i = 0; i < 12; i += 1) {
    const home = join(folder, `inventory_api_${i}`, 'checkpoint_1');
    cpSync(join(from, 'inventory_api/checkpoint_1'), home, { recursive: true });
    appendFileSync(join(home, 'evaluation/report.json'), ' '.repeat(2 << 20));
  }
  return folder;
}

test('the checkpoints of a large run directory are read side by side; one that brings readers down costs its file alone', async () => {
  const folder = largeRunDirectory();
  const native = await h.nativeReport(folder);
  for (const query of ['?readers=1', '?readers=3']) {
    const page = await h.openPage(env, { query });
    await h.openFolder(page, folder);
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
    assert.ok((await h.exportReport(page)).bytes.equals(native.bytes), query);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
  const page = await h.openPage(env, { query: '?readers=2&trial=panic:inventory_api_5/checkpoint_1/evaluation/report.json' });
  await h.openFolder(page, folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const { cases, runs } = await h.status(page);
  assert.deepEqual({ cases, runs }, { cases: 12 * 9, runs: 12 });
  const text = await notes(page);
  assert.match(text, /inventory_api_5\/checkpoint_1\/evaluation\/report\.json/);
  assert.equal(text.match(/the reader stopped/g)?.length, 1, text.slice(0, 800));
  assert.deepEqual(page.problems, []);
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

test('a table of many rows comes in parts, and is the one that a single program has', async () => {
  const { folder } = await h.generated({ samples: 80_000, megabytes: 90 });
  const page = await h.openPage(env, { query: '?readers=2' });
  await page.evaluate(() => { window.__ahead = []; new BroadcastChannel('ahead').onmessage = ({ data }) => { window.__ahead.push(data); }; });
  for (let i = 0; i < 200 && await readers(page) < 2; i += 1) await page.waitForTimeout(100);
  for (const worker of page.workers()) {
    await worker.evaluate(() => {
      if (!self.name.startsWith('reader')) return;
      const [channel, post] = [new BroadcastChannel('ahead'), self.postMessage.bind(self)];
      self.postMessage = (message, transfer) => { if (message?.isAhead) channel.postMessage(message.tables.length); post(message, transfer); };
    });
  }
  await h.openFolder(page, folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.ok((await page.evaluate(() => window.__ahead)).length > 0, 'some went ahead');
  assert.ok((await h.exportReport(page)).bytes.equals((await h.nativeReport(folder)).bytes));
  assert.deepEqual(page.problems, []);
});

test('among 300 files, thirty that bring readers down are named and the others are there', async () => {
  const { buildMany } = await import('./huge.mjs');
  const page = await h.openPage(env, { query: `?trial=panic:7/test_results_20260101_000000.json` });
  await h.openFolder(page, buildMany(300));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  // model-7, model-17, … model-297.
  const text = await page.getByRole('status').first().innerText();
  assert.match(text, /270 evaluations/);
  // Alike, they are one line that counts and names them.
  assert.equal((await notes(page)).match(/the reader stopped while looking at this file/g)?.length, 1);
  await page.locator('main').getByText('show 30 lines').click();
  assert.equal((await page.locator('main pre').innerText()).match(/the reader stopped while looking at this file/g)?.length, 30);
  assert.deepEqual(page.problems, []);
});

test('a reader that throws again when it is given up costs nothing more', async () => {
  const page = await h.openPage(env, { query: '?readers=2' });
  for (let i = 0; i < 200 && await readers(page) < 2; i += 1) await page.waitForTimeout(100);
  for (const worker of page.workers()) {
    if ((await worker.evaluate(() => self.name)).startsWith('reader')) { await h.failTwice(worker, 'a fault for the test'); break; }
  }
  for (let i = 0; i < 200 && await readers(page) < 2; i += 1) await page.waitForTimeout(100);
  await h.drop(page, join(h.fixtures, 'rebel/basic'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.equal(await readers(page), 2);
  assert.deepEqual(page.problems, []);
});

test('a case that ends its reader when it is looked at costs itself alone', async () => {
  const page = await h.openPage(env, { query: '?trial=panic:a case of basic/test_results_20261121_201406.json' });
  await h.drop(page, join(h.fixtures, 'rebel/basic'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const loaded = await h.status(page);
  for (let i = 0; i < 200 && await readers(page) < 2; i += 1) await page.waitForTimeout(100);
  await h.go(page, 'Cases');
  await page.getByRole('row').nth(1).click();
  await page.getByText(/the reader stopped while reading a case of this file: a fault in the program: a test asked for it/).first().waitFor();
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(await h.status(page), loaded);
  await h.go(page, 'Overview');
  assert.deepEqual(page.problems, []);
});

test('a cancel ends the readers at once, and the next opening has new ones', async () => {
  const page = await h.openPage(env);
  await h.drop(page, join(h.fixtures, 'rebel/basic'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const before = await page.getByRole('status').first().innerText();
  // Pressed as soon as it is there, on a file large enough that no machine has read it by then.
  const { folder } = await h.generated({ samples: 20_000, megabytes: 160 });
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const cancel = [...document.querySelectorAll('button')].find((button) => /^Cancel/.test(button.textContent.trim()));
      if (!cancel) return;
      observer.disconnect();
      window.__cancelled = true;
      cancel.click();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await h.openFolder(page, folder);
  await page.waitForFunction(() => window.__cancelled && !/reading/.test(document.querySelector('[role="status"]').textContent));
  assert.equal(await page.getByRole('status').first().innerText(), before);
  await h.openFolder(page, big.folder);
  await page.waitForFunction(() => /2 evaluations/.test(document.querySelector('[role="status"]').textContent), null, { timeout: 60_000 });
  assert.deepEqual(page.problems, []);
});

test('questions are answered while readers read', async () => {
  const page = await h.openPage(env);
  await h.drop(page, join(h.fixtures, 'rebel/basic'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await h.openFolder(page, big.folder);
  await h.go(page, 'Cases');
  await page.getByRole('row').nth(1).waitFor();
  await page.waitForFunction(() => /2 evaluations/.test(document.querySelector('[role="status"]').textContent), null, { timeout: 60_000 });
  assert.deepEqual(page.problems, []);
});

test('evalglass.html has its readers too, opened from disk', async () => {
  const context = await env.browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(dist, 'evalglass.html')).href);
  await page.waitForFunction(() => document.documentElement.dataset.evalglass === 'idle');
  for (let i = 0; i < 200 && await readers(page) < 2; i += 1) await page.waitForTimeout(100);
  assert.ok(await readers(page) >= 2);
  await context.close();
});
