// Measures Compare in the built page with two generated evaluations of a million cases each: the comparison on the screen after both
// are open, a change of margin, pairing and rule, the longest task of the main thread meanwhile; and case against case with two
// transcripts of 5,000 messages.
// usage: node bench/compare.mjs [--samples 1000000] [--megabytes 100] [--messages 5000] [--runs 3]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';
import { made } from './made.mjs';
import { TIMER, loop, watch, watched } from './watch.mjs';

const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? or : process.argv[at + 1]; };
const samples = Number(option('samples', 1_000_000)), megabytes = Number(option('megabytes', 100));
const messages = Number(option('messages', 5_000)), runs = Number(option('runs', 3));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
process.env.EVALGLASS_WAIT ??= '600000';

// From the change of the address until `sign` says something else, or, of what was not there, something, and a frame has passed.
const change = (page, hash, sign) => page.evaluate(([to, sign]) => new Promise((resolve) => {
  const words = () => document.querySelector(sign)?.textContent ?? '';
  const from = performance.now(), before = words();
  const look = () => {
    if (words() && words() !== before) requestAnimationFrame(() => resolve(performance.now() - from));
    else requestAnimationFrame(look);
  };
  location.hash = to;
  look();
}), [hash, sign]);

const VERDICT = '.compare-verdict', AUDIT = '.compare-verdict__audit', GUARD = '.compare-verdict__more';

/** The addresses of what is open, as `side=…` has them: Compare writes them itself. */
async function sides(page) {
  await page.evaluate(() => { location.hash = '#/2/compare'; });
  await page.waitForFunction(() => /side=.*side=/.test(location.hash), null, { timeout: 600_000 });
  await page.locator(VERDICT).waitFor({ timeout: 600_000 });
  return (await page.evaluate(() => location.hash)).replace(/^#\/2\/compare\?/, '');
}

async function million(env) {
  const page = await h.openPage(env, { init: TIMER });
  const opened = [];
  for (const seed of [1, 2]) {
    const { folder } = made(['--samples', `${samples}`, '--megabytes', `${megabytes}`, '--seed', `${seed}`]);
    const { text } = await h.status(page).catch(() => ({ text: '' }));
    const from = Date.now();
    await h.openFolder(page, folder);
    await page.waitForFunction((before) => document.documentElement.dataset.evalglass === 'ready' && document.querySelector('[role="status"]').textContent !== before, text, { timeout: 600_000 });
    await page.waitForTimeout(5000);
    opened.push(Date.now() - from);
  }
  await watch(page);
  const first = Date.now();
  const own = await sides(page);
  const result = [['comparison on the screen, after both are open', Date.now() - first]];
  const address = (rest) => `#/2/compare?${[own, rest].filter(Boolean).join('&')}`;
  await page.waitForTimeout(4000);
  // What was looked at once is kept: no comparison is asked for twice, so that each is computed.
  const pass = (hundredths) => `set.pass=%3E%3D0.${hundredths}`;
  for (const [name, before, after, sign] of [
    ['margin', () => '', (i) => `margin=0.3${i}`, GUARD],
    ['pairing by the id alone', (i) => pass(30 + i), (i) => `${pass(30 + i)}&pair=id`, AUDIT],
    ['rule: errors left out', (i) => pass(40 + i), (i) => `${pass(40 + i)}&set.errors=left-out`, VERDICT],
    ['rule: threshold', () => '', (i) => pass(70 + i), VERDICT],
  ]) {
    const times = [];
    for (let i = 0; i < runs; i += 1) {
      await page.evaluate((to) => { location.hash = to; }, address(before(i)));
      await page.waitForTimeout(4000);
      times.push(await change(page, address(after(i)), sign));
      await page.waitForTimeout(4000);
    }
    console.error(`bench: ${name}: ${times.map(Math.round).join(' ')} ms`);
    result.push([name, median(times)]);
  }
  const { tasks, longestTask } = await watched(page);
  const fixed = await loop(page);
  if (page.problems.length) throw new Error(page.problems.join('; '));
  await page.context().close();
  return { opened, result, tasks, longestTask, fixed };
}

/** A run of one sample with a long transcript; every 50th message of the second one is another. */
function transcript(name, other) {
  const folder = join(process.env.CARGO_TARGET_DIR ?? join(h.root, 'target'), 'generated', `transcript-${messages}-${name}`);
  mkdirSync(folder, { recursive: true });
  const said = Array.from({ length: messages }, (_, at) => ({
    id: `m${at}`, date: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
    message_type: at % 2 ? 'assistant_message' : 'user_message',
    content: `step ${at}: looks at entry ${(at * 7919) % 1000}${other && at % 50 === 49 ? ', and at the next one' : ''}`,
  }));
  const row = { sample_id: 'q', model_handle: 'm', trajectory: [said], submissions: {}, grades: { accuracy: { score: other ? 0 : 1 } }, reward: { score: other ? 0 : 1 } };
  writeFileSync(join(folder, 'm.jsonl'), `${JSON.stringify(row)}\n`);
  return folder;
}

/** The longest task of a worker while `work` is done, in ms: an alignment is a part of one. */
async function longestOfWorkers(env, page, work) {
  await env.browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await work();
  const { traceEvents } = JSON.parse((await env.browser.stopTracing()).toString());
  const workers = new Set(traceEvents.filter((e) => e.name === 'thread_name' && e.args.name.startsWith('DedicatedWorker')).map((e) => `${e.pid}/${e.tid}`));
  const tasks = traceEvents.filter((e) => e.ph === 'X' && e.name.endsWith('RunTask') && workers.has(`${e.pid}/${e.tid}`));
  return Math.max(0, ...tasks.map((e) => e.dur / 1000));
}

async function aligned(env) {
  const page = await h.openPage(env, { init: TIMER });
  for (const folder of [transcript('a', false), transcript('b', true)]) {
    await h.drop(page, folder);
    await h.waitFor(page, 'ready');
    await page.waitForTimeout(1000);
  }
  const own = await sides(page);
  const list = `#/2/compare?${own}`;
  await page.evaluate((to) => { location.hash = to; }, list);
  const pair = await page.getByRole('region', { name: 'Pairs', exact: true }).locator('tbody a').first().getAttribute('href');
  const times = [];
  await watch(page);
  for (let i = 0; i < runs; i += 1) {
    times.push(await change(page, pair, '#pair-steps'));
    await page.waitForTimeout(500);
    await page.evaluate((to) => { location.hash = to; }, list);
    await page.locator(VERDICT).waitFor();
    await page.waitForTimeout(500);
  }
  const { tasks, longestTask } = await watched(page);
  const inWorker = await longestOfWorkers(env, page, () => change(page, pair, '#pair-steps'));
  console.error(`bench: two transcripts of ${messages} messages: ${times.map(Math.round).join(' ')} ms`);
  if (page.problems.length) throw new Error(page.problems.join('; '));
  await page.context().close();
  return { times, median: median(times), tasks, longestTask, inWorker };
}

const env = await h.start();
try {
  const pair = await aligned(env);
  const { opened, result, tasks, longestTask, fixed } = await million(env);
  mkdirSync(join(h.root, 'bench/out'), { recursive: true });
  writeFileSync(join(h.root, 'bench/out/compare.json'), `${JSON.stringify({ samples, runs, opened, result, tasks, longestTask, fixed, messages, pair }, null, 2)}\n`);
  console.log(`2 × ${samples.toLocaleString('en')} cases, opened in ${opened.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(' and ')}; median of ${runs}\n\n| what | ms |\n|---|---|`);
  for (const [name, ms] of result) console.log(`| ${name} | ${Math.round(ms)} |`);
  console.log(`| tasks of the main thread over 50 ms | ${tasks}${tasks ? `, the longest ${Math.round(longestTask)}` : ''} |`);
  console.log(`| two transcripts of ${messages.toLocaleString('en')} messages, whole page of the pair | ${Math.round(pair.median)} |`);
  console.log(`| of it the longest task of a worker, the alignment in it (once more, traced) | ${Math.round(pair.inWorker)} |`);
  console.log(`| tasks over 50 ms meanwhile | ${pair.tasks}${pair.tasks ? `, the longest ${Math.round(pair.longestTask)}` : ''} |`);
  console.log(`| a fixed loop in the same page | ${fixed.toFixed(1)} |`);
} finally {
  await env.stop();
}
