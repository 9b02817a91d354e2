// Where the page lives: one file on a disk, a plain server under a sub-path, a server that stops, a site with a gallery.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as h from './harness.mjs';

const dist = process.env.EVALGLASS_DIST || join(h.root, 'dist');
let env, temp;
// What a failed test has left running.
const running = new Set();
before(async () => { env = await h.start(); temp = mkdtempSync(join(tmpdir(), 'evalglass-')); });
afterEach(async () => { for (const stop of [...running]) await stop(); });
after(async () => { await env?.stop(); if (temp) rmSync(temp, { recursive: true, force: true }); });

const letta = 'letta-evals/0.26.0_reward_multirun';
const rebel = readdirSync(join(h.fixtures, 'rebel/basic')).find((name) => name.startsWith('test_results'));
const heading = (page) => page.getByRole('main').getByRole('heading', { level: 1 });
const alert = (page) => page.getByRole('alert');

/** Python's server over `folder`; its origin. */
async function python(folder) {
  const child = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const origin = await new Promise((done, failed) => {
    let text = '';
    child.once('exit', () => failed(new Error(`python3 ended: ${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const port = /port (\d+)/.exec(text);
      if (port) done(`http://127.0.0.1:${port[1]}`);
    });
  });
  const stop = () => { running.delete(stop); return new Promise((done) => { child.once('exit', done); child.kill('SIGKILL'); }); };
  running.add(stop);
  return { origin, stop };
}

/** A server whose answers `answer(path, request, response)` decides; `true` means that it has answered. */
async function server(folder, answer = () => false) {
  const seen = [];
  const http = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    seen.push({ path, range: request.headers.range });
    if (answer(path, request, response)) return;
    const file = join(typeof folder === 'function' ? folder() : folder, path.endsWith('/') ? `${path}index.html` : path);
    const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', json: 'application/json', webmanifest: 'application/manifest+json', svg: 'image/svg+xml', png: 'image/png' };
    try {
      const bytes = readFileSync(file);
      response.writeHead(200, { 'content-type': types[file.split('.').at(-1)] ?? 'application/octet-stream', 'content-length': bytes.length, 'cache-control': 'max-age=600' });
      response.end(bytes);
    } catch { response.writeHead(404, 'Not Found').end(); }
  });
  await new Promise((done) => { http.listen(0, '127.0.0.1', done); });
  const origin = `http://127.0.0.1:${http.address().port}`;
  const stop = () => { running.delete(stop); return new Promise((done) => { http.closeAllConnections(); http.close(done); }); };
  running.add(stop);
  return { seen, origin, url: `${origin}/`, browser: env.browser, stop };
}

/** The page, and what else is to lie beside it, in a folder of its own. */
function published(...extra) {
  const root = mkdtempSync(join(temp, 'www-'));
  const home = join(root, 'a/b');
  cpSync(dist, home, { recursive: true });
  for (const [from, to] of extra) cpSync(join(h.fixtures, from), join(home, to), { recursive: true });
  return { root, home };
}

const cached = (page) => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('evalglass:')).sort());
/** Waits until the service worker has kept the page. */
const kept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

test('evalglass.html opens from disk with the network off: drop, every page, a case, export, samples, restart', async () => {
  const file = join(dist, 'evalglass.html');
  assert.ok(statSync(file).size <= 8e6, `${statSync(file).size} bytes`);
  const folder = join(h.fixtures, letta);
  const native = await h.nativeReport(folder);
  const requests = [];
  const context = await env.browser.newContext({ offline: true, acceptDownloads: true, viewport: { width: 1280, height: 800 } });
  const page = Object.assign(await context.newPage(), { problems: [] });
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.problems.push(message.text()); });
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('request', (request) => { if (!/^(blob|data):/.test(request.url())) requests.push(request.url()); });
  await page.goto(pathToFileURL(file).href);
  await h.waitFor(page, 'idle', 'failed');
  assert.deepEqual(await h.axe(page), []);
  await h.drop(page, folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  for (const name of ['Overview', 'Cases', 'Failures', 'Statistics', 'Audit', 'Notes']) {
    await h.go(page, name);
    await heading(page).waitFor();
  }
  await h.go(page, 'Cases');
  await page.getByRole('row').nth(1).click();
  await page.waitForFunction(() => /\/case|case=/.test(location.hash) || document.querySelector('main h1')?.textContent !== 'Cases');
  assert.ok((await h.exportReport(page)).bytes.equals(native.bytes), 'the exported report is the native one');

  await page.evaluate(() => dispatchEvent(new ErrorEvent('error', { error: new WebAssembly.RuntimeError('unreachable'), message: 'unreachable' })));
  await page.getByRole('button', { name: 'Restart' }).click();
  await h.waitFor(page, 'ready');
  assert.ok((await h.exportReport(page)).bytes.equals(native.bytes), 'after a restart too');

  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  for (const part of ["default-src 'none'", "connect-src 'none'", 'worker-src blob:', "script-src 'wasm-unsafe-eval' 'sha256-"]) assert.ok(policy.includes(part), policy);
  assert.ok(!/unsafe-inline|'unsafe-eval'|https?:|\*|'self'/.test(policy), policy);
  assert.deepEqual(page.problems, []);
  await page.reload();
  await h.waitFor(page, 'idle', 'failed');
  await page.getByRole('button', { name: 'Try sample results' }).click();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.ok((await h.status(page)).runs >= 3);
  assert.deepEqual([...new Set(requests.map((url) => url.split('#')[0]))], [pathToFileURL(file).href], 'nothing but the file itself was asked for');
  await page.goto(`${pathToFileURL(file).href}?src=results.json`);
  assert.equal(await h.waitFor(page, 'failed', 'ready'), 'failed');
  await alert(page).getByText('fetches nothing').waitFor();
  assert.deepEqual(page.problems, []);
  await context.close();
});

test('under /a/b/ of Python’s server: ?src= opens, and opens again with the server stopped', async () => {
  const { root } = published([`rebel/basic/${rebel}`, `results/${rebel}`], [letta, 'results/letta']);
  const { origin, stop } = await python(root);
  const site = { browser: env.browser, origin, url: `${origin}/a/b/` };
  const page = await h.openPage(site, { query: `?src=results/${rebel}`, fetches: true, serviceWorkers: 'allow' });
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const native = await h.nativeReport(join(h.fixtures, 'rebel/basic', rebel));
  assert.ok((await h.exportReport(page)).bytes.equals(native.bytes), 'as if it had been dropped');
  await kept(page);
  // The copies are written beside the reading.
  await page.waitForFunction(async () => (await (await caches.open('evalglass-results:/a/b/')).keys()).length === 1);
  assert.deepEqual(page.problems, []);
  await stop();

  await page.reload();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await page.getByText('The server does not answer. Showing the copy that this browser stored on').waitFor();
  assert.ok((await h.exportReport(page)).bytes.equals(native.bytes), 'the copy is the same');
  assert.deepEqual(await h.axe(page), []);
  await page.goto(site.url);
  assert.equal(await h.waitFor(page, 'idle', 'failed'), 'idle');
  await page.getByRole('button', { name: 'Try sample results' }).click();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await page.goto(`${site.url}?src=results/letta/suite.json`);
  assert.equal(await h.waitFor(page, 'failed', 'ready'), 'failed');
  await alert(page).getByText('The server does not answer.').waitFor();
  await page.context().close();
});

test('several ?src= are one drop; the rules of the address are in force', async () => {
  const { root } = published([letta, 'results/letta']);
  const site = await server(root);
  site.url += 'a/b/';
  const files = readdirSync(join(root, 'a/b/results/letta'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== 'expected.json')
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(join(root, 'a/b/').length));
  const page = await h.openPage(site, { query: `?${files.map((file) => `src=${encodeURIComponent(file)}`).join('&')}#/1/audit`, fetches: true });
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const native = await h.nativeReport(join(h.fixtures, letta));
  const report = JSON.parse((await h.exportReport(page)).bytes);
  assert.deepEqual(report.runs.map((run) => run.score), native.report.runs.map((run) => run.score));
  assert.equal(report.evaluations[0].path.split('/')[0], 'letta', 'paths begin with the folder, as in a drop');
  await heading(page).filter({ hasText: 'Audit' }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await site.stop();
});

test('make site: a gallery with groups and dates, whose links open', async () => {
  const results = join(temp, 'nightly');
  cpSync(join(h.fixtures, letta), join(results, 'letta/2026-03-01 reward'), { recursive: true });
  cpSync(join(h.fixtures, 'letta-evals/0.15.0_logical_multirun'), join(results, 'letta/2026-03-02'), { recursive: true });
  cpSync(join(h.fixtures, 'rebel/basic', rebel), join(results, rebel));
  mkdirSync(join(results, 'letta/2026-03-02/node_modules/x'), { recursive: true });
  writeFileSync(join(results, 'letta/2026-03-02/node_modules/x/evaluation.json'), '{}');
  const out = join(temp, 'site');
  const make = (to) => spawnSync(process.execPath, [join(h.root, 'scripts/site.mjs'), '--from', dist, '--results', results, '--out', to, '--title', 'Nightly <b>runs</b>'], { cwd: h.root, encoding: 'utf8' });
  assert.equal(make(out).status, 0);
  assert.equal(make(out).status, 0, 'its own folder is made anew');
  assert.notEqual(make(results).status, 0, 'never into the results');
  mkdirSync(join(temp, 'full'), { recursive: true });
  writeFileSync(join(temp, 'full/thesis.txt'), 'mine');
  assert.notEqual(make(join(temp, 'full')).status, 0, 'never over something else');
  assert.equal(readFileSync(join(temp, 'full/thesis.txt'), 'utf8'), 'mine');
  assert.ok(!readdirSync(out, { recursive: true }).some((path) => path.includes('node_modules')));

  const { origin, stop } = await python(out);
  for (const colorScheme of ['light', 'dark']) {
    const page = await h.openPage({ browser: env.browser, origin, url: `${origin}/` }, { colorScheme, fetches: true });
    const gallery = page.getByRole('region', { name: 'Nightly <b>runs</b>' });
    await gallery.waitFor();
    assert.deepEqual(await gallery.getByRole('link').allInnerTexts(), [rebel, '2026-03-01 reward', '2026-03-02']);
    assert.deepEqual((await gallery.locator('time').allInnerTexts()).slice(1), ['2026-03-01', '2026-03-02']);
    assert.deepEqual(await h.axe(page), []);
    await h.picture(page, `gallery-${colorScheme}`);
    for (const [name, folder] of [['2026-03-01 reward', letta], [rebel, `rebel/basic/${rebel}`]]) {
      await gallery.getByRole('link', { name, exact: true }).click();
      assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
      const native = (await h.nativeReport(join(h.fixtures, folder))).report;
      const report = JSON.parse((await h.exportReport(page)).bytes);
      assert.deepEqual(report.runs.map((run) => run.score), native.runs.map((run) => run.score), name);
      await page.goBack();
      await gallery.waitFor();
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
  await stop();
});

test('a link that cannot be opened says why, address by address, and what can be done', async () => {
  const { root } = published([`rebel/basic/${rebel}`, rebel]);
  writeFileSync(join(root, 'a/b/shopping.json'), '{"milk": 2}');
  writeFileSync(join(root, 'a/b/broken/results.json'.replace('broken/', 'broken-')), '{"groups": [{"items": [{"title": "x"}]}]}');
  const other = await server(root, (path, request, response) => { response.setHeader('access-control-allow-origin', '*'); return false; });
  const site = await server(root, (path, request, response) => {
    if (path === '/a/b/huge.jsonl') { response.writeHead(200, { 'content-length': 2 ** 40 }); response.write('{}'); return true; }
    if (path === '/a/b/slow.jsonl') { response.writeHead(200, { 'content-length': 1000 }); response.write('{}'); return true; }
    if (path === '/a/b/folder/') { response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Directory listing</title>'); return true; }
    return false;
  });
  site.url += 'a/b/';
  const problem = async (query, state = 'failed') => {
    const page = await h.openPage(site, { query, fetches: true });
    assert.equal(await h.waitFor(page, state), state);
    return page;
  };
  const said = async (query, ...texts) => {
    const page = await problem(query);
    for (const text of texts) await alert(page).getByText(text).first().waitFor();
    assert.deepEqual(await h.axe(page), []);
    return page;
  };

  let page = await said(`?src=gone.json&src=${rebel}`, '/a/b/gone.json', 'The server answers 404 (Not Found).');
  await h.picture(page, 'refused');
  await alert(page).getByRole('link', { name: 'Open the other file' }).click();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.equal((await h.status(page)).runs, 1);
  await page.context().close();

  page = await said('?src=huge.jsonl', 'larger than 512 MB', 'range requests');
  await page.context().close();
  page = await said('?src=folder/', 'web page in its place');
  await alert(page).getByRole('link', { name: 'Go to the start page' }).click();
  assert.equal(await h.waitFor(page, 'idle'), 'idle');
  await page.context().close();
  page = await said('?src=broken-results.json', 'groups[0].items[0].src is not a path');
  await page.context().close();
  page = await said('?src=javascript:alert(1)&src=file:///etc/passwd&src=http://me:secret@127.0.0.1/', 'not javascript:', 'not file:', 'a name or a password');
  await page.context().close();

  page = await said(`?src=${other.origin}/a/b/${rebel}`, 'from its own host only', 'sees your IP address');
  assert.deepEqual(other.seen, [], 'nothing was asked of the other host');
  assert.deepEqual(page.problems, []);
  await alert(page).getByRole('link', { name: `Fetch from ${new URL(other.origin).host}` }).click();
  await page.waitForURL(/remote\.html/);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.equal(other.seen.length, 1);
  await page.context().close();

  // What is no result is said by the page as of any file that is dropped.
  page = await problem('?src=shopping.json');
  await alert(page).getByText('No results could be read from these files.').waitFor();
  await page.context().close();

  const context = await env.browser.newContext({ serviceWorkers: 'block' });
  page = await context.newPage();
  await page.goto(`${site.url}?src=slow.jsonl`);
  await h.waitFor(page, 'loading');
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await h.waitFor(page, 'failed', 'ready'), 'failed');
  await alert(page).getByText('Fetching was stopped').waitFor();
  await alert(page).getByRole('link', { name: 'Try again' }).waitFor();
  // The page is as good as any other: what is dropped opens.
  await page.getByLabel('Open files', { exact: true }).setInputFiles(join(h.fixtures, 'rebel/basic', rebel));
  assert.equal(await h.waitFor(page, 'ready'), 'ready');
  await context.close();
  await site.stop();
  await other.stop();
});

test('a large file stays on a server that gives out parts of it; when it changes, that is noticed', async () => {
  const { root } = published();
  const report = JSON.parse(readFileSync(join(h.fixtures, 'rebel/basic', rebel)));
  const n = Math.ceil((10 << 20) / JSON.stringify(report.test_cases).length);
  report.test_cases = Array.from({ length: n }, () => report.test_cases).flat();
  const large = Buffer.from(JSON.stringify(report));
  const path = join(temp, rebel);
  writeFileSync(path, large);
  let tag = '"one"';
  const site = await server(root, (asked, request, response) => {
    if (!asked.endsWith(rebel)) return false;
    response.setHeader('accept-ranges', 'bytes').setHeader('etag', tag);
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range) {
      const [start, end] = range.slice(1).map(Number);
      response.writeHead(206, { 'content-range': `bytes ${start}-${end}/${large.length}` }).end(large.subarray(start, end + 1));
    } else response.writeHead(200, { 'content-length': large.length }).end(large);
    return true;
  });
  site.url += 'a/b/';
  const page = await h.openPage(site, { query: `?src=${rebel}`, fetches: true });
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const parts = site.seen.filter(({ path: seen, range }) => seen.endsWith(rebel) && range);
  assert.ok(parts.length > 1, JSON.stringify(site.seen));
  assert.ok(site.seen.filter(({ path: seen }) => seen.endsWith(rebel)).length === parts.length + 1, 'and never again as a whole');
  const native = await h.nativeReport(path);
  assert.ok((await h.exportReport(page)).bytes.equals(native.bytes), 'the exported report is the native one');
  assert.deepEqual(page.problems, []);
  tag = '"two"';
  await h.go(page, 'Cases');
  await page.getByRole('row').nth(1).click();
  await page.waitForFunction(() => location.hash.includes('case='));
  // In the middle: what was read last is kept.
  await page.evaluate((row) => { location.hash = location.hash.replace(/([?&]case=)[^&]*/, `$1~${row}`); }, report.test_cases.length >> 1);
  await page.getByText('it has changed since it was opened').first().waitFor();
  await page.context().close();
  await site.stop();
});

test('no page is made of two versions: a new one is kept whole, offered, and taken over when asked', async () => {
  const one = published().home, two = published().home, half = published().home;
  // Another version: another title, another worker under another name.
  const worker = readdirSync(two).find((name) => /^workspace-[0-9a-f]+\.js$/.test(name));
  const newer = 'workspace-0123456789abcdef.js';
  const change = (home) => {
    writeFileSync(join(home, newer), `${readFileSync(join(home, worker), 'utf8')}// two\n`);
    rmSync(join(home, worker));
    for (const name of ['index.html', 'remote.html']) {
      const html = readFileSync(join(home, name), 'utf8').replace('<title>Evalglass', '<title>Two').replace(worker, newer);
      const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)[1];
      writeFileSync(join(home, name), html.replace(/'sha256-[^']+'/, `'sha256-${createHash('sha256').update(script).digest('base64')}'`));
    }
    assert.equal(spawnSync(process.execPath, [join(h.root, 'scripts/offline.mjs'), home], { cwd: h.root, env: { ...process.env, TRUNK_STAGING_DIR: '' } }).status, 0);
  };
  change(two);
  change(half);
  rmSync(join(half, newer));
  let now = one;
  const site = await server(() => now);
  const page = await h.openPage(site, { serviceWorkers: 'allow' });
  const program = (of) => of.evaluate(() => globalThis.evalglass.workerProgram);
  await kept(page);
  await page.waitForFunction(() => caches.keys().then((names) => names.filter((name) => name.startsWith('evalglass:')).length === 1));
  const [first] = await cached(page);
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null, 'the first visit is of the network');

  // A site that is being uploaded: the new page is there, one of its parts is not.
  now = half;
  await page.reload();
  await h.waitFor(page, 'idle');
  assert.equal(await program(page), `./${worker}`, 'the old version, whole');
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()).catch(() => {}));
  await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then(({ installing, waiting }) => !installing && !waiting));
  assert.equal(await page.locator('#notice').count(), 0, 'half a version is none');

  now = two;
  await page.reload();
  await h.waitFor(page, 'idle');
  assert.equal(await program(page), `./${worker}`, 'still the old version, whole');
  await page.getByText('A new version of Evalglass is ready').waitFor();
  assert.deepEqual(await h.axe(page), []);
  await h.picture(page, 'update');
  const other = await page.context().newPage();
  await other.goto(site.url);
  await h.waitFor(other, 'idle');
  assert.equal(await program(other), `./${worker}`);
  await other.bringToFront();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.waitForFunction((wanted) => globalThis.evalglass?.workerProgram === wanted, `./${newer}`, { polling: 100 });
  await h.waitFor(page, 'idle');
  assert.equal(await program(other), `./${worker}`, 'the other window was not reloaded');
  assert.equal(await other.evaluate((name) => fetch(name).then((answer) => answer.status), worker), 200, 'and still gets the parts of its version');
  assert.equal((await cached(page)).length, 2);
  await other.close();

  await site.stop();
  await page.reload();
  await h.waitFor(page, 'idle');
  assert.equal(await program(page), `./${newer}`, 'the new version, from the browser alone');
  await page.goto('about:blank');
  const fresh = await page.context().newPage();
  await page.close();
  await fresh.goto(site.url);
  await h.waitFor(fresh, 'idle');
  await fresh.waitForFunction((gone) => caches.has(gone).then((has) => !has), first);
  await fresh.context().close();
});

test('where the program of readers is missing, files are not called unknown', async () => {
  const { root, home } = published([`rebel/basic/${rebel}`, rebel]);
  rmSync(join(home, readdirSync(home).find((name) => /^reader-.*\.wasm$/.test(name))));
  const site = await server(root);
  for (const query of ['', `?src=${rebel}`]) {
    const page = await h.openPage({ ...site, url: `${site.url}a/b/` }, { query, fetches: true });
    if (!query) await h.drop(page, join(h.fixtures, 'rebel/basic'));
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'failed');
    await page.getByText('No results could be read from these files.').first().waitFor();
    await page.getByText('no reader could be started for this file').first().waitFor();
    await page.getByText('not read', { exact: true }).first().waitFor();
    for (const other of ['unrecognised', 'broken']) assert.equal(await page.getByText(other, { exact: true }).count(), 0, other);
    assert.deepEqual(page.problems.filter((problem) => problem.startsWith('uncaught')), []);
    await page.context().close();
  }
  await site.stop();
});

test('it can be installed', async () => {
  const page = await h.openPage(env, { serviceWorkers: 'allow' });
  await kept(page);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data);
  for (const { src, sizes, type } of manifest.icons) {
    const answer = await page.request.get(new URL(src, env.url).href);
    assert.equal(answer.headers()['content-type'], type);
    // Width and height of a PNG stand at 16.
    const bytes = await answer.body();
    if (type === 'image/png') assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
  }
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Contexts of tests are incognito, where nothing is installed.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'), []);
  await page.context().close();
});

test('after load nothing is asked for, whatever the user does, but the engine of page SQL when that page is opened', async () => {
  const page = await h.openPage(env);
  const before = await h.settled(env);
  await h.openFolder(page, join(h.fixtures, letta));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();
  for (const name of names) {
    const isSql = /^SQL/.test(name);
    // Until then, nothing.
    if (isSql) assert.equal(await h.settled(env), before, env.server.requests.slice(before).join(', '));
    await h.go(page, name.replace(/\s*\d[\d\s,.]*$/, '').trim()).catch(() => page.getByRole('link', { name }).click());
    await heading(page).waitFor();
    await page.waitForTimeout(100);
    if (isSql) await page.locator('.sql__name').first().waitFor({ timeout: 90_000 });
  }
  await page.getByRole('button', { name: /^Colours/ }).click();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await h.exportReport(page);
  await h.settled(env);
  const asked = env.server.requests.slice(before).map((request) => request.replace(/^.*\/(sql)-[0-9a-f]{16}/, '$1'));
  assert.deepEqual(asked.sort(), ['sql.js', 'sql_bg.wasm'], asked.join(', '));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
