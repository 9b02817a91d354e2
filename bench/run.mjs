// Measures the built page in real Chromium with a generated letta-evals folder: time to all scores, the longest task of the
// main thread, memory after the load, side by side with reading the bytes and with JSON.parse line by line.
// usage: node bench/run.mjs [--megabytes 400] [--samples 50000] [--runs 3] [--seed 1] [--folder DIR]
// Prints one JSON document, then a table for BENCHMARKS.md; every run goes to bench/out/bench.json, progress to standard error.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';
import { TIMER, loop, watch, watched } from './watch.mjs';

const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? or : process.argv[at + 1]; };
const megabytes = Number(option('megabytes', 400)), samples = Number(option('samples', 50_000));
const runs = Number(option('runs', 3)), seed = Number(option('seed', 1));
const say = (text) => console.error(`bench: ${text}`);
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const round = (n, digits = 1) => (n == null ? null : Math.round(n * 10 ** digits) / 10 ** digits);
process.env.EVALGLASS_WAIT ??= '600000';

let folder = option('folder'), facts = null;
if (!folder) {
  say(`generating ${samples} samples, ${megabytes} MB`);
  execFileSync('cargo', ['build', '--locked', '--quiet', '--example', 'generate'], { cwd: h.root, stdio: ['ignore', 2, 2] });
  ({ folder, facts } = await h.generated({ samples, megabytes, seed }));
}
const files = readdirSync(folder).filter((f) => f.endsWith('.jsonl')).map((f) => join(folder, f));
const bytes = files.reduce((n, f) => n + statSync(f).size, 0);

const env = await h.start({
  isolated: true,
  mounts: { '/lab/peers/': join(h.root, 'bench/peers') },
  flags: ['--enable-blink-features=ForceEagerMeasureMemory', '--enable-precise-memory-info'],
});
const result = { megabytes: round(bytes / 1e6), samples: facts?.cases ?? null, seed, runs, cores: cpus().length, cpu: cpus()[0]?.model.trim(), memory_gb: Math.round(totalmem() / 2 ** 30), chromium: env.browser.version() };

/** Private memory of every process of the browser that draws pages, from the kernel. */
async function rendererMemory(page) {
  try {
    const session = await env.browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    let total = 0;
    for (const { type, id } of processInfo) {
      if (type !== 'renderer') continue;
      const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      for (const [, kb] of text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)) total += kb * 1024;
    }
    return total;
  } catch (error) {
    say(`memory of the processes is not known: ${error.message}`);
    return null;
  }
}

async function memory(page) {
  const seen = {};
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage').catch(() => {});
  await session.detach();
  // Both programs' own heaps: initialising again gives the instance that runs.
  seen.wasm_worker = 0;
  for (const worker of page.workers()) {
    seen.wasm_worker += await worker.evaluate(async () => (typeof wasm_bindgen === 'function' ? (await wasm_bindgen({})).memory.buffer.byteLength : 0)).catch(() => 0);
  }
  seen.wasm_app = await page.evaluate(async () => {
    const script = document.querySelector('link[rel=modulepreload]')?.href;
    return script ? (await (await import(script)).default()).memory.buffer.byteLength : 0;
  }).catch(() => 0);
  const whole = await page.evaluate(async () => {
    if (!crossOriginIsolated || !performance.measureUserAgentSpecificMemory) return null;
    const { bytes, breakdown } = await performance.measureUserAgentSpecificMemory();
    return { bytes, breakdown: breakdown.filter((b) => b.bytes > 0).map((b) => ({ bytes: b.bytes, types: b.types, scope: b.attribution.map((a) => a.scope) })) };
  });
  seen.user_agent = whole?.bytes ?? null;
  seen.breakdown = whole?.breakdown ?? null;
  seen.renderer_private = await rendererMemory(page);
  return seen;
}

try {
  const evalglass = [];
  for (let i = 0; i < runs; i += 1) {
    const page = await h.openPage(env, { init: TIMER });
    await h.settled(env);
    const before = await memory(page);
    await watch(page);
    const ms = await page.evaluate(() => { window.__from = performance.now(); }).then(async () => {
      // The clock starts when the page gets the files and stops when it says that it is ready.
      await page.evaluate(() => {
        const done = new Promise((resolve) => {
          const look = () => { const s = document.documentElement.dataset.evalglass; if (window.__begun && (s === 'ready' || s === 'failed')) resolve(performance.now() - window.__from); };
          addEventListener('change', () => { window.__from = performance.now(); window.__begun = true; }, { capture: true, once: true });
          new MutationObserver(look).observe(document.documentElement, { attributes: true, attributeFilter: ['data-evalglass'] });
        });
        window.__done = done;
      });
      await h.openFolder(page, folder);
      return page.evaluate(() => window.__done);
    });
    if (await h.waitFor(page, 'ready', 'failed') !== 'ready') throw new Error(`the page failed: ${page.problems.join('; ')}`);
    await page.waitForTimeout(500);
    const main = { ...await watched(page), fixed: await loop(page) };
    const loaded = await h.status(page);
    const after = await memory(page);
    if (facts && loaded.cases !== facts.cases) throw new Error(`the page holds ${loaded.cases} cases, not ${facts.cases}`);
    if (page.problems.length) throw new Error(page.problems.join('; '));
    evalglass.push({ ms: round(ms), main, memory_before: before, memory: after });
    say(`evalglass ${round(ms / 1000, 2)} s, longest main-thread task ${round(main.longestTask)} ms`);
    await page.context().close();
  }

  const peers = { read: [], parse: [] };
  const page = await (await env.browser.newContext()).newPage();
  await page.goto(`${env.origin}/lab/peers/`);
  await page.waitForFunction(() => document.documentElement.dataset.peers === 'ready');
  await page.getByLabel('Files').setInputFiles(files);
  for (let i = 0; i < runs; i += 1) {
    for (const mode of ['read', 'parse']) {
      const { ms } = await page.evaluate((m) => window.measure(m), mode);
      peers[mode].push(round(ms));
      say(`${mode} ${round(ms / 1000, 2)} s`);
    }
  }
  await page.context().close();

  const last = evalglass.at(-1).memory;
  Object.assign(result, {
    open_ms: median(evalglass.map((r) => r.ms)), longest_task_ms: median(evalglass.map((r) => r.main.longestTask)),
    fixed_loop_ms: round(median(evalglass.map((r) => r.main.fixed))),
    longest_gap_ms: round(median(evalglass.map((r) => r.main.longestGap))),
    read_ms: median(peers.read), parse_ms: median(peers.parse),
    // The browser's own measure leaves the memory of wasm instances out (seen in Chromium 156), so it is added.
    memory_bytes: { heaps: (last.user_agent ?? 0) + last.wasm_worker + last.wasm_app, user_agent: last.user_agent, wasm_worker: last.wasm_worker, wasm_app: last.wasm_app, renderer_private: last.renderer_private, renderer_private_before: evalglass.at(-1).memory_before.renderer_private },
    each: { evalglass, peers },
  });
  result.against_read = round(result.open_ms / result.read_ms, 2);
  result.against_parse = round(result.parse_ms / result.open_ms, 2);
} finally {
  await env.stop();
}

const out = join(h.root, 'bench/out');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`);
console.log(JSON.stringify({ ...result, each: undefined }, null, 2));

const mb = (n) => (n == null ? '–' : `${(n / 1e6).toFixed(1)} MB`);
const s = (ms) => `${(ms / 1000).toFixed(2)} s`;
const met = (yes) => (yes ? 'yes' : 'no');
const memoryNow = result.memory_bytes;
console.log(`
${result.samples?.toLocaleString('en') ?? 'all'} samples, ${result.megabytes} MB of JSONL (seed ${seed}), median of ${runs}; Chromium ${result.chromium}, ${result.cores} cores (${result.cpu}), ${result.memory_gb} GB.

| what | measured | budget | met |
|---|---|---|---|
| open to all scores | ${s(result.open_ms)} | | |
| reading the bytes, same browser | ${s(result.read_ms)} | | |
| split lines and \`JSON.parse\`, in a worker | ${s(result.parse_ms)} | | |
| open against reading the bytes | ${result.against_read} × | ≤ 2 × | ${met(result.against_read <= 2)} |
| open against \`JSON.parse\` | ${result.against_parse} × faster | ≥ 3.5 × | ${met(result.against_parse >= 3.5)} |
| longest main-thread task | ${round(result.longest_task_ms)} ms | ≤ 50 ms | ${met(result.longest_task_ms <= 50)} |
| a fixed loop in the same page; the longest task in such loops | ${result.fixed_loop_ms} ms; ${round(result.longest_task_ms / result.fixed_loop_ms)} | | |
| memory after the load: wasm heaps + JS heaps | ${mb(memoryNow.heaps)} | ≤ 80 MB | ${met(memoryNow.heaps <= 80e6)} |
| of it JS heaps and DOM, page and worker | ${mb(memoryNow.user_agent)} | | |
| of it wasm heap of the worker | ${mb(memoryNow.wasm_worker)} | | |
| of it wasm heap of the app | ${mb(memoryNow.wasm_app)} | | |
| private memory of the page's process, before and after | ${mb(memoryNow.renderer_private_before)}, ${mb(memoryNow.renderer_private)} | | |
`);
