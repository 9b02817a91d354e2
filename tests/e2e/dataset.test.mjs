// Datasets in the page: figures at once, cases by ranges; a server without ranges, a dropped folder, damage.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const dist = process.env.EVALGLASS_DIST || join(h.root, 'dist');
let env, temp, dataset;

/** The built program `name` of `examples`. */
const program = (name) => join(process.env.CARGO_TARGET_DIR || join(h.root, 'target'), 'debug/examples', name);
const walk = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = join(folder, entry.name);
  return entry.isDirectory() ? walk(path) : [path];
});

before(async () => {
  env = await h.start();
  temp = mkdtempSync(join(tmpdir(), 'evalglass-dataset-'));
  dataset = join(temp, 'evals');
  const folders = Array.from({ length: 12 }, (_, nth) => join(temp, `night-${nth}`));
  folders.forEach((folder, nth) => execFileSync(program('generate'), ['--out', folder, '--seed', String(nth), '--kind', 'letta', '--samples', '20000', '--megabytes', '8'], { stdio: 'ignore' }));
  execFileSync(program('report'), ['--dataset', dataset, ...folders], { stdio: 'ignore' });
});
after(async () => { await env?.stop(); if (temp) rmSync(temp, { recursive: true, force: true }); });

/** A server of the page and of `evals` beside it, which counts the bytes that it gives out of the dataset. */
async function site({ ranges = true, evals = dataset } = {}) {
  const given = { bytes: 0, paths: [] };
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', json: 'application/json', webmanifest: 'application/manifest+json', svg: 'image/svg+xml', png: 'image/png' };
  const http = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const isEvals = path.startsWith('/evals/');
    const file = isEvals ? join(evals, path.slice('/evals/'.length)) : join(dist, path.endsWith('/') ? `${path}index.html` : path);
    let bytes;
    try { bytes = readFileSync(file); } catch { response.writeHead(404).end(); return; }
    const head = { 'content-type': types[file.split('.').at(-1)] ?? 'application/octet-stream' };
    if (ranges) head['accept-ranges'] = 'bytes';
    const range = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const [start, last] = range ? [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)] : [0, bytes.length - 1];
    if (range) head['content-range'] = `bytes ${start}-${last}/${bytes.length}`;
    const part = bytes.subarray(start, last + 1);
    if (isEvals) { given.bytes += part.length; given.paths.push(path); }
    response.writeHead(range ? 206 : 200, { ...head, 'content-length': part.length }).end(part);
  });
  await new Promise((done) => { http.listen(0, '127.0.0.1', done); });
  const origin = `http://127.0.0.1:${http.address().port}`;
  return { given, browser: env.browser, origin, url: `${origin}/`, stop: () => new Promise((done) => { http.closeAllConnections(); http.close(done); }) };
}

const rows = (page) => page.getByRole('row');
/** How many cases the page of cases counts. */
const counted = async (page, words) => { await page.locator('.page-head__count').getByText(words).waitFor(); };
const run = (page, nth) => page.getByRole('treeitem').filter({ hasText: `night-${nth}` }).first();

test('?src=manifest.json: figures from less than 1 % of the dataset, cases of one run by ranges, filter, a case, axe', async () => {
  const at = await site();
  const total = walk(dataset).map((path) => statSync(path).size).reduce((sum, size) => sum + size, 0);
  const page = await h.openPage(at, { query: '?src=evals/manifest.json', fetches: true });
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.deepEqual(await h.status(page).then(({ runs, cases }) => ({ runs, cases })), { runs: 12, cases: 240_000 });
  await page.getByText('come from the dataset').waitFor();
  assert.deepEqual(await h.axe(page), []);
  await h.go(page, 'Trends');
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  const opened = at.given.bytes;
  assert.ok(!at.given.paths.some((path) => /\/(cases|checks)\//.test(path)), 'no part was touched');
  assert.ok(opened <= total * 0.01, `${opened} of ${total} bytes for opening`);

  await run(page, 7).click();
  await h.go(page, 'Cases');
  await counted(page, '20,000');
  const parts = new Set(at.given.paths.filter((path) => /\/(cases|checks)\//.test(path)));
  assert.equal(parts.size, 2, 'one part of cases and one of checks');
  const own = [...parts].map((path) => statSync(join(dataset, path.slice('/evals/'.length))).size).reduce((sum, size) => sum + size, 0);
  assert.ok(at.given.bytes - opened <= own * 2 + 1e6, `${at.given.bytes - opened} bytes for parts of ${own}`);
  const filter = page.getByRole('searchbox').or(page.getByRole('combobox', { name: /filter/i })).first();
  await filter.fill('outcome:failed');
  await filter.press('Enter');
  await page.locator('.page-head__count').filter({ hasNotText: /^20,000 cases$/ }).waitFor();
  await rows(page).nth(1).click();
  await page.waitForFunction(() => /case/.test(location.hash));
  await page.getByText('transcript').first().waitFor();
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
  await at.stop();
});

test('without ranges a dataset is refused with the reason', async () => {
  const at = await site({ ranges: false });
  const page = await h.openPage(at, { query: '?src=evals/manifest.json', fetches: true });
  assert.equal(await h.waitFor(page, 'failed', 'ready'), 'failed');
  await page.getByRole('alert').getByText('does not support range requests').waitFor();
  assert.deepEqual(at.given.paths, ['/evals/manifest.json']);
  assert.deepEqual(await h.axe(page), []);
  await at.stop();
});

test('a damaged part is named, and the other runs are shown', async () => {
  const evals = join(temp, 'damaged');
  cpSync(dataset, evals, { recursive: true });
  const part = walk(join(evals, 'cases')).find((path) => path.includes('night-3'));
  truncateSync(part, 1000);
  const at = await site({ evals });
  const page = await h.openPage(at, { query: '?src=evals/manifest.json', fetches: true });
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await run(page, 3).click();
  await h.go(page, 'Failures');
  await page.getByRole('alert').waitFor();
  await run(page, 4).click();
  await h.go(page, 'Cases');
  await counted(page, '20,000');
  await h.go(page, 'Notes');
  await page.getByText('its cases are not shown').first().waitFor();
  assert.deepEqual(await h.axe(page), []);
  await at.stop();
});

test('a dropped folder opens alike, and its parts are read when somebody looks', async () => {
  const page = await h.openPage(env);
  await h.drop(page, dataset);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready', await page.getByRole('main').innerText());
  assert.deepEqual(await h.status(page).then(({ runs, cases }) => ({ runs, cases })), { runs: 12, cases: 240_000 });
  await page.getByText('come from the dataset').waitFor();
  await run(page, 0).click();
  await h.go(page, 'Cases');
  await counted(page, '20,000');
  assert.deepEqual(page.problems, []);
});
