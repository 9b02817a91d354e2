// What every browser journey needs: the built page on a server that counts requests, a real Chromium, drops, watchers, axe.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import axeCore from 'axe-core';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/serve.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const fixtures = join(root, 'tests/fixtures');
export const out = join(root, 'tests/e2e/out');
const dist = process.env.EVALGLASS_DIST || join(root, 'dist');

export const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
];

const environments = new Set();

/**
 * The server and the browser of a test file; `stop` ends both. What a test opens in the browser is closed when it ends, however
 * it ends (below); `keep` keeps what all tests of the file share.
 */
export async function start({ isolated = false, packed = false, mounts = {}, flags = [] } = {}) {
  if (!existsSync(join(dist, 'index.html'))) throw new Error(`${dist}/index.html is missing: run \`make dist\` first`);
  mkdirSync(out, { recursive: true });
  const server = await serve({ mounts: { '/lab/evalglass/': dist, ...mounts }, isolated, packed });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: [...FLAGS, ...flags],
  });
  const base = new URL(server.url);
  const env = {
    server,
    browser,
    url: `${base.origin}/lab/evalglass/`,
    origin: base.origin,
    kept: new Set(),
    keep: (context) => { env.kept.add(context); return context; },
    stop: async () => { environments.delete(env); await browser.close(); await server.close(); },
  };
  environments.add(env);
  return env;
}

/**
 * Closes every context that a test has left open: with it go its pages, workers, service workers, storage, downloads, sessions
 * of the protocol, and what they had set (throttling, permissions, dialogs).
 */
async function closeLeft() {
  for (const { browser, kept } of environments) {
    await Promise.all(browser.contexts().filter((context) => !kept.has(context)).map((context) => context.close()));
  }
}

// Runs before any script of the page. What makes a task of the main thread long is counted, not timed: a count is the same on
// every machine. Between two frames lie the elements that one pass of style and layout has to deal with.
const WATCHER = () => {
  const watch = { states: [], frames: [], answers: [], on: false };
  let at = null;
  const count = (node) => (node.nodeType === Node.ELEMENT_NODE ? 1 + node.getElementsByTagName('*').length : 0);
  new MutationObserver((records) => {
    const state = document.documentElement?.dataset.evalglass;
    if (state && watch.states.at(-1) !== state) watch.states.push(state);
    if (!watch.on) return;
    let made = 0;
    // What has come into something new is counted with it.
    const roots = [];
    for (const { target, addedNodes } of records) {
      if (roots.some((root) => root.contains(target))) continue;
      for (const node of addedNodes) { made += count(node); roots.push(node); }
    }
    if (made === 0) return;
    // Stands still between two frames.
    const frame = document.timeline.currentTime;
    if (at === frame && watch.frames.length) watch.frames[watch.frames.length - 1] += made; else watch.frames.push(made);
    at = frame;
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-evalglass'], childList: true });
  window.Worker = class extends Worker {
    constructor(...of) {
      super(...of);
      this.addEventListener('message', ({ data }) => { if (watch.on) watch.answers.push(data?.body?.byteLength ?? 0); });
    }
  };
  Object.defineProperty(window, '__watch', { value: watch });
};

// The rule of every journey: a page asks for its own parts, each once for each time that it is loaded, and for nothing else,
// whatever is done with it. So once it is there, with its worker, it makes no request at all. A journey in which somebody asks
// for more says so when it opens the page: `again` for parts of the page (sample results, a program that is started anew),
// `fetches` for what the address names. A test that breaks the rule fails here, even when it looks at no `problems`.
const PART = /\/(|(index|remote)\.html|results\.json|manifest\.webmanifest|icon[\w-]*\.(svg|png)|[\w-]+-[0-9a-f]{8,16}(_bg)?\.\w+)$/;

const watchedPages = new Set();

/** Requests that break the rule since the last call, of all pages. */
export const rulesBroken = () => [...watchedPages].flatMap((page) => page.broken.splice(0));

// Programs of bench/ have this file too, and no tests.
if (process.argv[1]?.endsWith('.test.mjs')) {
  afterEach(async () => {
    const broken = rulesBroken();
    watchedPages.clear();
    await closeLeft();
    assert.deepEqual(broken, [], 'requests that the page must not make');
  });
}

/** Holds `page` to the rule; what breaks it gathers in its `broken`, and in its `problems`. */
function holdToTheRule(page, env, { again, fetches }) {
  let asked = new Set();
  page.broken = [];
  watchedPages.add(page);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) asked = new Set();
    if (['blob:', 'data:'].includes(url.protocol)) return;
    const breaks = (how) => { page.broken.push(`${how}: ${url}`); page.problems.push(`${how}: ${url}`); };
    // remote.html is the page that may ask other hosts.
    const mayGoOut = fetches && page.url().includes('/remote.html');
    if (url.origin !== env.origin && !mayGoOut) breaks('request to another host');
    else if (fetches) return;
    else if (!PART.test(url.pathname)) breaks('request for something else than the page');
    else if (!again && (asked.has(url.pathname) || /\/samples-/.test(url.pathname))) breaks('request after load');
    asked.add(url.pathname);
  });
}

/**
 * Opens the page in a context of its own; errors of the console, failed requests, requests that break the rule above and
 * crashes gather in `problems`. `init` runs before any script of the page.
 */
export async function openPage(env, { colorScheme = 'light', viewport = { width: 1280, height: 800 }, query = '', again = false, fetches = false, init = null, serviceWorkers = 'block', ...rest } = {}) {
  // What is kept for the next visit is tested where that is the matter; elsewhere it would only fetch beside the journey.
  const context = await env.browser.newContext({ colorScheme, viewport, acceptDownloads: true, serviceWorkers, ...rest });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const problems = [];
  Object.assign(page, { problems });
  holdToTheRule(page, env, { again, fetches });
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !message.text().includes('registration blocked by Playwright')) problems.push(`${message.type()}: ${message.text()}`); });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('crash', () => problems.push('the page crashed'));
  // A page that fetches may also stop, or be left for the next one while its worker still loads.
  page.on('requestfailed', (request) => { if (!request.url().startsWith('blob:') && !(fetches && request.failure()?.errorText === 'net::ERR_ABORTED')) problems.push(`request failed: ${request.url()}`); });
  // Choosers are caught from the beginning: a listener that comes with the click is sometimes too late, and the browser cancels.
  page.on('filechooser', () => {});
  await page.addInitScript(WATCHER);
  if (init) await page.addInitScript(init);
  await page.goto(env.url + query);
  await waitFor(page, 'idle', 'ready', 'failed');
  return page;
}

/** Waits for `<html data-evalglass="…">` to be one of `states`; returns it. */
export async function waitFor(page, ...states) {
  const handle = await page.waitForFunction(
    (wanted) => wanted.includes(document.documentElement.dataset.evalglass) && document.documentElement.dataset.evalglass,
    states,
    { timeout: Number(process.env.EVALGLASS_WAIT ?? 60_000) },
  ).catch(async (error) => {
    const state = await page.evaluate(() => document.documentElement.dataset.evalglass).catch(() => 'gone');
    throw new Error(`the page is "${state}", wanted ${states.join(' or ')}; ${(page.problems ?? []).join('; ')}`, { cause: error });
  });
  return handle.jsonValue();
}

/** Waits until the server has had nothing to do for a while: the worker loads in the background. Returns the number of requests. */
export async function settled(env, quiet = 500) {
  for (let seen = -1; seen !== env.server.requests.length;) {
    seen = env.server.requests.length;
    await new Promise((done) => { setTimeout(done, quiet); });
  }
  return env.server.requests.length;
}

/** The page's states since it opened, for instance ['idle', 'loading', 'ready']. */
export const states = (page) => page.evaluate(() => window.__watch.states);

/** Drops real files or folders on the page, as the desktop would: enter, over, drop. */
export async function drop(page, ...paths) {
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize();
  const at = { x: Math.round(width / 2), y: Math.round(height / 2) };
  const data = { items: [], files: paths.map((p) => resolve(p)), dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, ...at, data });
  await session.detach();
}

// Holds the programs back until `__go` is called.
const HELD = `{
  const may = new Promise((go) => { window.__go = go; });
  for (const name of ['compile', 'compileStreaming']) {
    const compile = WebAssembly[name];
    WebAssembly[name] = async (source) => { await may; return compile.call(WebAssembly, source); };
  }
}`;

/** The page that `open` opens, which is told what runs before its scripts: paths are dropped on it before its program runs. */
export async function droppedEarly(env, open, ...paths) {
  const before = new Set(env.browser.contexts());
  const opening = open(HELD);
  let page = null;
  while (!page) {
    page = env.browser.contexts().filter((context) => !before.has(context)).flatMap((context) => context.pages())[0];
    await new Promise((done) => { setTimeout(done, 20); });
  }
  await page.waitForFunction(() => Boolean(window.__go && window.evalglass?.dropped));
  await drop(page, ...paths);
  assert.equal(await page.evaluate(() => window.evalglass.dropped.length), paths.length);
  await page.evaluate(() => window.__go());
  await opening;
  assert.equal(await page.evaluate(() => window.evalglass.dropped), null, 'from now on the program hears drops');
  return page;
}

export const openFolder = (page, folder) => page.getByLabel('Open folder', { exact: true }).setInputFiles(resolve(folder));
export const openFiles = (page, ...files) => page.getByLabel('Open files', { exact: true }).setInputFiles(files.map((f) => resolve(f)));

/** What the status line says is loaded: `{runs, cases, text}`. */
export async function status(page) {
  const line = page.getByRole('status').filter({ hasText: /\bruns?\b/ }).first();
  const text = await line.innerText();
  const number = (word) => {
    const found = new RegExp(`(\\d[\\d,.\\u00a0\\u2009\\u202f ]*)\\s*${word}s?\\b`).exec(text);
    return found ? Number(found[1].replace(/\D/g, '')) : Number.NaN;
  };
  return { runs: number('run'), cases: number('case'), text };
}

/** Goes to a page of the workspace by the name of its navigation item. */
export async function go(page, name) {
  const role = page.getByRole('tab', { name, exact: true }).or(page.getByRole('navigation').getByRole('link', { name, exact: true }))
    .or(page.getByRole('navigation').getByRole('button', { name, exact: true }));
  await role.first().click();
}

/** Waits until the focus is where `isThere` says, given what has it: the page moves it a frame after it has drawn. */
export async function focused(page, isThere, why = 'the focus') {
  for (let left = 100; ; left -= 1) {
    // What is asked stands in the page as a function: its policy lets no text be run.
    const element = await page.evaluateHandle(() => document.activeElement);
    if (await element.evaluate(isThere)) return;
    if (left === 0) assert.fail(`${why}: ${await element.evaluate((it) => it?.cloneNode(false).outerHTML)} has the focus`);
    await page.waitForTimeout(50);
  }
}

/** Export → "Report (JSON)": the bytes of the download and its name. */
export async function exportReport(page) {
  await page.getByRole('button', { name: /^Export/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^Report \(JSON\)/ }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** What the native program says of the same files: `{bytes, report}`. */
export async function nativeReport(...paths) {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
  const program = [process.env.EVALGLASS_REPORT, ...['release', 'debug'].map((p) => join(target, p, 'examples/report'))]
    .filter((p) => p && existsSync(p))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (!program) throw new Error('the example `report` is not built: run `cargo build --example report` first');
  const { stdout } = await promisify(execFile)(program, paths, { cwd: root, maxBuffer: 1 << 30, encoding: 'buffer' });
  return { bytes: stdout, report: JSON.parse(stdout.toString('utf8')) };
}

/** Writes (once) a generated letta-evals folder; returns its path and what it holds. */
export async function generated({ samples, megabytes, seed = 1 }) {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
  const program = ['release', 'debug'].map((p) => join(target, p, 'examples/generate')).find((p) => existsSync(p));
  if (!program) throw new Error('the example `generate` is not built: run `cargo build --example generate` first');
  const folder = join(target, 'generated', `letta-${seed}-${samples}-${megabytes}`);
  const { stdout } = await promisify(execFile)(program, ['--out', folder, '--samples', `${samples}`, '--megabytes', `${megabytes}`, '--seed', `${seed}`]);
  return { folder, facts: JSON.parse(stdout), jsonl: readdirSync(folder).filter((f) => f.endsWith('.jsonl')).map((f) => join(folder, f)) };
}

/**
 * axe's findings, one line each; none is what is wanted. Every rule looks at every element. The program is put into a page once,
 * not for each look, and what passed is not written down: with both a look takes a third of the time. A colour that is on its way
 * to another is looked at when it has arrived.
 */
export async function axe(page) {
  assert.equal(page.frames().length, 1, 'axe looks at one frame');
  await animated(page);
  if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(axeCore.source);
  const violations = await page.evaluate(async () => {
    const found = (await window.axe.run(document, { resultTypes: ['violations'] })).violations;
    return found.map(({ id, impact, help, nodes }) => ({ id, impact, help, targets: nodes.slice(0, 5).map((node) => node.target.join(' ')) }));
  });
  return violations.map(({ id, impact, help, targets }) => `${id} (${impact}): ${help}: ${targets.join(' | ')}`);
}

/** Waits until nothing in the page is under way that ends by itself: a transition, an animation that is not repeated for ever. */
const animated = (page) => page.evaluate(async () => {
  const ends = (animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime) && animation.playState === 'running';
  await Promise.all(document.getAnimations().filter(ends).map(({ finished }) => finished.catch(() => {})));
});

export const picture = (page, name) => page.screenshot({ path: join(out, `${name}.png`) });

/** Elements that may come into the document between two frames: about a screen of messages, or of a table. */
export const WINDOW = 1500;

/** Bytes that one answer of the worker may have: a part of a case, rows of a table; a page with its tables of hundreds of rows. */
export const ANSWER = 200_000, PAGE_ANSWER = 2_000_000;

/** Starts (or starts anew) the count of what the main thread is given to do. */
export const watch = (page) => page.evaluate(() => { Object.assign(window.__watch, { frames: [], answers: [], on: true }); });

/**
 * Ends it: the most elements that came into the document between two frames, how many came in all, and the bytes of the largest
 * answer of the worker.
 */
export const watched = (page) => page.evaluate(() => {
  const { frames, answers } = window.__watch;
  window.__watch.on = false;
  const most = (list) => list.reduce((a, b) => Math.max(a, b), 0);
  return { elements: most(frames), allElements: frames.reduce((a, b) => a + b, 0), frames: frames.length, answers: answers.length, answer: most(answers) };
});

/** Does `work` on a main thread `rate` times slower. */
export async function throttled(page, rate, work) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  try {
    return await work();
  } finally {
    // A page that is closed is throttled no more.
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 }).then(() => session.detach()).catch(() => {});
  }
}

/** Has a worker report two errors in one go: the second is on its way when whoever started it hears of the first. */
export const failTwice = (worker, message) => worker.evaluate((words) => { for (let i = 0; i < 2; i += 1) reportError(new Error(words)); }, message);
