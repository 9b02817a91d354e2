// Measures a dataset behind an address, over a slow line: from the navigation until its figures are drawn, then until the cases of one run
// stand in the table, with the bytes of the dataset that each took. With --sql, also a query over all of its cases on page SQL, once.
// usage: node bench/dataset_page.mjs --dataset DIR [--megabits 50] [--latency 40] [--runs 5] [--again] [--sql 'SELECT …']
// `bench/dataset.py` makes DIR. The line is the server's: what is sent, to whomever, shares it. The page's own files are packed with gzip, as
// most hosts send them. Every visit is made in a browser that knows nothing; with --again in one where somebody has opened the page before, so that
// its own files are kept (by its service worker), and nothing of the dataset is.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import * as h from '../tests/e2e/harness.mjs';
import { median, option, say, seconds } from './options.mjs';
import { CLOCK } from './watch.mjs';

const dataset = option('dataset'), runs = Number(option('runs', 5)), query = option('sql'), again = process.argv.includes('--again');
const megabits = Number(option('megabits', 50)), latency = Number(option('latency', 40));
if (!dataset) { console.error('--dataset DIR is missing'); process.exit(2); }
const dist = process.env.EVALGLASS_DIST || join(h.root, 'dist');
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', json: 'application/json', webmanifest: 'application/manifest+json', svg: 'image/svg+xml', png: 'image/png', woff2: 'font/woff2' };
const PIECE = 32 << 10;
const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** A line that carries one piece at a time. */
let free = 0, sent = 0;
async function carry(response, bytes) {
  await sleep(latency);
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    free = Math.max(free, performance.now()) + (piece.length * 8) / (megabits * 1000);
    const wait = free - performance.now();
    if (wait > 1) await sleep(wait);
    response.write(piece);
    sent += piece.length;
  }
  response.end();
}

/** A server of the page and of the dataset, which counts what it gives of the latter. */
async function site() {
  const given = { bytes: 0, requests: 0 }, packed = new Map();
  const http = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const type = { 'content-type': TYPES[path.split('.').at(-1)] ?? 'application/octet-stream' };
    if (!path.startsWith('/evals/')) {
      const file = join(dist, path.endsWith('/') ? `${path}index.html` : path);
      try { if (!packed.has(file)) packed.set(file, gzipSync(readFileSync(file))); } catch { response.writeHead(404).end(); return; }
      response.writeHead(200, { 'content-type': path.endsWith('/') ? TYPES.html : type['content-type'], 'content-encoding': 'gzip', 'content-length': packed.get(file).length });
      carry(response, packed.get(file));
      return;
    }
    const file = join(dataset, path.slice('/evals/'.length));
    let size;
    try { ({ size } = statSync(file)); } catch { response.writeHead(404).end(); return; }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const [from, last] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1];
    const bytes = Buffer.alloc(last + 1 - from), handle = openSync(file, 'r');
    readSync(handle, bytes, 0, bytes.length, from);
    closeSync(handle);
    given.bytes += bytes.length;
    given.requests += 1;
    response.writeHead(range ? 206 : 200, { ...type, 'accept-ranges': 'bytes', 'content-length': bytes.length, ...(range ? { 'content-range': `bytes ${from}-${last}/${size}` } : {}) });
    carry(response, bytes);
  });
  await new Promise((done) => { http.listen(0, '127.0.0.1', done); });
  return { given, url: `http://127.0.0.1:${http.address().port}/`, close: () => { http.closeAllConnections(); http.close(); } };
}

const viewport = { width: 1440, height: 900 };

async function isNew(browser) {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport });
  return { context, end: () => context.close() };
}

/** A browser of somebody who has opened the page before and left it for a while: `context`, and `end` closes it and forgets all. */
async function knows(at) {
  const folder = mkdtempSync(join(tmpdir(), 'evalglass-known-'));
  const context = await chromium.launchPersistentContext(folder, { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: h.FLAGS, viewport });
  const page = await context.newPage();
  await page.goto(at.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // What is kept is fetched in the background: until the line has been silent.
  for (let since = 0; since < 4; since += 1) { const was = sent; await sleep(1000); if (sent !== was) since = -1; }
  await page.close();
  return { context, end: async () => { await context.close(); rmSync(folder, { recursive: true, force: true }); } };
}

async function visit(context, at) {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  try {
    await page.addInitScript(CLOCK);
    const start = { ...at.given };
    await page.goto(`${at.url}?src=evals/manifest.json`, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.__seen['ready drawn'] || window.__seen.failed);
    const seen = await page.evaluate(() => window.__seen);
    if (seen.failed) throw new Error(await page.getByRole('main').innerText());
    const opened = { ...at.given };
    // Behind everything: the first evaluation. Parts of `copies` hold rows of that one alone.
    await page.getByRole('treeitem').nth(1).click();
    await page.waitForTimeout(1000);
    const before = { ...at.given };
    const drawn = page.evaluate(() => new Promise((resolve) => {
      const from = performance.now();
      const look = () => {
        if (document.getElementById('case-row-0')) requestAnimationFrame(() => resolve(performance.now() - from));
        else requestAnimationFrame(look);
      };
      look();
    }));
    await page.keyboard.press('2');
    const rows = await drawn;
    return {
      opened: seen['ready drawn'], loading: seen['ready drawn'] - (seen.loading ?? 0), openedBytes: opened.bytes - start.bytes, openedRequests: opened.requests - start.requests,
      rows, rowsBytes: at.given.bytes - before.bytes, rowsRequests: at.given.requests - before.requests,
    };
  } finally {
    await page.close();
  }
}

/** Asks `query` on page SQL: seconds until the engine is ready, until the answer stands there, and what each took. */
async function asked(browser, at) {
  const context = await browser.newContext({ serviceWorkers: 'block', viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(1_800_000);
  try {
    await page.goto(`${at.url}?src=evals/manifest.json`, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement.dataset.evalglass === 'ready');
    await page.waitForTimeout(2000);
    const from = performance.now(), start = { ...at.given };
    await page.keyboard.press('q');
    await page.locator('.sql__name').first().waitFor();
    const ready = performance.now(), opened = { ...at.given };
    await page.locator('#sql-editor').fill(query);
    await page.locator('#sql-editor').press('Control+Enter');
    // Above 200 MB it asks first.
    const more = page.getByRole('button', { name: 'Run without limit' });
    await page.locator('.sql__answered, .sql__message').or(more).first().waitFor();
    if (await more.isVisible()) { await more.click(); await page.locator('.sql__answered, .sql__message').first().waitFor(); }
    const end = performance.now();
    const took = (one, two) => ({ bytes: two.bytes - one.bytes, requests: two.requests - one.requests });
    return { ready: (ready - from) / 1000, answer: (end - ready) / 1000, opening: took(start, opened), asking: took(opened, at.given), says: await page.locator('.sql__answered, .sql__message').first().innerText() };
  } finally {
    await context.close();
  }
}

const size = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((f) => f.isFile()).reduce((sum, f) => sum + statSync(join(f.parentPath ?? f.path, f.name)).size, 0);
const env = await h.start(), at = await site();
try {
  const total = size(dataset), each = [];
  const one = async () => {
    const { context, end } = again ? await knows(at) : await isNew(env.browser);
    try { return await visit(context, at); } finally { await end(); }
  };
  // The server packs at the first request, which is nobody's time.
  await one();
  for (let run = 0; run < runs; run += 1) {
    each.push(await one());
    say(`${seconds(each.at(-1).opened)} to the figures, ${seconds(each.at(-1).rows)} more to the cases of a run`);
  }
  const of = (name) => median(each.map((one) => one[name]));
  const bytes = (name) => `${(of(name) / 1e6).toFixed(2)} MB, ${((100 * of(name)) / total).toFixed(3)} % of ${(total / 1e9).toFixed(2)} GB`;
  mkdirSync(join(h.root, 'bench/out'), { recursive: true });
  writeFileSync(join(h.root, 'bench/out/dataset.json'), `${JSON.stringify({ megabits, latency, again, total, each }, null, 2)}\n`);
  console.log(`${megabits} Mbit/s, ${latency} ms; ${again ? 'the page is known, the dataset is not' : 'first visit'}; median of ${runs}\n\n| what | time | of the dataset | requests |\n|---|---|---|---|`);
  console.log(`| from the address to the figures, page included | ${seconds(of('opened'))} | ${bytes('openedBytes')} | ${of('openedRequests')} |`);
  console.log(`| of it from the page's first work to the figures | ${seconds(of('loading'))} | | |`);
  if (query) console.log(`| ${query}: ${JSON.stringify(await asked(env.browser, at))} | | | |`);
  console.log(`| cases of one run in the table | ${seconds(of('rows'))} | ${bytes('rowsBytes')} | ${of('rowsRequests')} |`);
} finally {
  at.close();
  await env.stop();
}
