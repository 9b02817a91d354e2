// Measures a large log of Inspect AI, opened to the table and to one sample: in the page, and in Inspect View beside it.
// usage: node bench/inspect.mjs [--samples 1000] [--bytes 150000] [--runs 3] [--inspect PROGRAM] [--port 7599]
// PROGRAM is the tool's own `inspect` (pip install inspect_ai); without it the page is measured alone. Both read the same file from
// the disk, in the same browser, each in a context of its own; Inspect View reads it through its server, which is a program beside. Times count the loading of
// the page, of which the browser has kept nothing.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';
import { inspectLog } from './inspect_log.mjs';
import { FLAGS, memory, mostMemory } from './memory.mjs';
import { median, megabytes, option, round, say } from './options.mjs';
import { TIMER, watch, watched } from './watch.mjs';

const samples = Number(option('samples', 1000)), bytes = Number(option('bytes', 150_000)), runs = Number(option('runs', 3));
const program = option('inspect', null), port = Number(option('port', 7599));
const log = inspectLog({ samples, bytes });
const FIRST = 'I look at page 0.';

// The main thread is watched from the first line of the page on.
const WATCHED = { content: `(${TIMER})(); window.__timer.on = true;` };

/** Milliseconds since `from`, and what the main thread has done meanwhile. */
async function since(page, from) {
  const ms = performance.now() - from;
  await page.waitForTimeout(500);
  const { longestTask, tasks } = await watched(page);
  return { ms: round(ms), longest_task: round(longestTask), tasks };
}

async function ours(env) {
  let from = performance.now();
  const page = await h.openPage(env, { init: WATCHED });
  try {
    const chosen = performance.now();
    await h.openFiles(page, log);
    if (await h.waitFor(page, 'ready', 'failed') !== 'ready') throw new Error(page.problems.join('; '));
    await page.evaluate(() => { location.hash = '#/1/cases'; });
    await page.getByRole('row').filter({ hasText: 'Question 1:' }).or(page.locator('[role=row] [role=gridcell]')).first().waitFor();
    const table = { from_file: round(performance.now() - chosen), ...await since(page, from) };
    const { cases } = await h.status(page);
    if (cases !== samples) throw new Error(`the page holds ${cases} cases, not ${samples}`);
    const held = await memory(env, page);
    await watch(page);
    from = performance.now();
    const { done: sample, most } = await mostMemory(env, async () => {
      await page.evaluate(() => { location.hash = '#/1/cases?case=0.0.0'; });
      // Of a long conversation the page may show the end first.
      await page.locator('.said, .call').first().waitFor();
      return since(page, from);
    });
    if (page.problems.length) throw new Error(page.problems.join('; '));
    return { table, sample, most, memory: held, memory_after: await memory(env, page) };
  } finally {
    await page.context().close();
  }
}

/** Private memory of a program and those that it has started. */
const ofProgram = (pid) => {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].reduce((sum, [, kb]) => sum + kb * 1024, 0);
};

async function theirs(env, server) {
  const context = await env.browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(WATCHED);
  try {
    // Its list of logs would fetch ahead what the table shows, so the log is opened by its address.
    let from = performance.now();
    await page.goto(`http://127.0.0.1:${port}/#/logs/${basename(log)}`);
    const row = page.locator('a[role=row][href*="/sample/1/1"]').first();
    await row.waitFor();
    const table = await since(page, from);
    const held = await memory(env, page);
    await watch(page);
    from = performance.now();
    await row.click();
    await page.getByText(FIRST).first().waitFor();
    const sample = await since(page, from);
    return { table, sample, memory: held, memory_after: await memory(env, page), server: ofProgram(server.pid) };
  } finally {
    await context.close();
  }
}

async function serve() {
  const server = spawn(program, ['view', 'start', '--log-dir', dirname(log), '--port', String(port)], { stdio: 'ignore' });
  for (let i = 0; i < 300; i += 1) {
    if (await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.ok).catch(() => false)) return server;
    await new Promise((resolve) => { setTimeout(resolve, 200); });
  }
  throw new Error(`${program} does not answer`);
}

const env = await h.start({ isolated: true, flags: FLAGS });
const server = program ? await serve() : null;
const result = { samples, log_bytes: statSync(log).size, runs, page: [], inspect_view: [] };
try {
  for (let run = 0; run < runs; run += 1) {
    result.page.push(await ours(env));
    if (server) result.inspect_view.push(await theirs(env, server));
    say(`run ${run + 1} of ${runs}`);
  }
} finally {
  server?.kill();
  await env.stop();
}
const folder = join(h.out, 'bench');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'inspect.json'), `${JSON.stringify(result, null, 1)}\n`);
const shown = (list, of) => (list.length ? `${Math.round(median(list.map(of)))} ms (${list.map((one) => Math.round(of(one))).join(', ')})` : 'not measured');
const largest = (list, of) => (list.length ? megabytes(Math.max(...list.map(of))) : 'not measured');
console.log(`${megabytes(result.log_bytes)}, ${samples} samples\n\n| what | the page | Inspect View |\n|---|---|---|`);
console.log(`| from the file to the table | ${shown(result.page, (one) => one.table.from_file)} | – |`);
for (const [name, of] of [
  ['from the address of the page to the table', (one) => one.table.ms], ['to one sample from there', (one) => one.sample.ms],
  ['longest task of the main thread, table', (one) => one.table.longest_task], ['longest task of the main thread, sample', (one) => one.sample.longest_task],
]) console.log(`| ${name} | ${shown(result.page, of)} | ${shown(result.inspect_view, of)} |`);
for (const [name, of] of [
  ['private memory of the browser\'s renderers, with the table', (one) => one.memory.renderer_private], ['the same after the sample', (one) => one.memory_after.renderer_private],
  ['the most while the sample opens', (one) => one.most ?? 0], ['heaps of the programs in the page', (one) => one.memory.wasm.app + one.memory.wasm.workers], ['private memory of its server', (one) => one.server ?? 0],
]) console.log(`| ${name} | ${largest(result.page, of)} | ${largest(result.inspect_view, of)} |`);
