// Measures the table of cases in the built page with a million generated cases: open, first rows, sort, filter, scroll, a case, and
// the longest task of the main thread meanwhile.
// usage: node bench/cases.mjs [--samples 1000000] [--megabytes 100] [--runs 5] [--seed 1]
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';
import { TIMER, loop, watch, watched } from './watch.mjs';

const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? or : process.argv[at + 1]; };
const samples = Number(option('samples', 1_000_000)), megabytes = Number(option('megabytes', 100));
const runs = Number(option('runs', 5)), seed = Number(option('seed', 1));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
process.env.EVALGLASS_WAIT ??= '600000';

execFileSync('cargo', ['build', '--locked', '--quiet', '--example', 'generate'], { cwd: h.root, stdio: ['ignore', 2, 2] });
const { folder } = await h.generated({ samples, megabytes, seed });

// From the change of the address to the frame after the rows have been put in anew.
const change = (page, hash) => page.evaluate((to) => new Promise((resolve) => {
  const from = performance.now();
  const watch = new MutationObserver(() => {
    if (!document.querySelector('.grid__body [role="row"]')) return;
    watch.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - from));
  });
  watch.observe(document.querySelector('.grid__body') ?? document.querySelector('main'), { childList: true, subtree: true });
  location.hash = to;
}), hash);

// Jumps to random places; the time until rows stand where the view is.
const jump = (page, part) => page.evaluate((to) => new Promise((resolve) => {
  const grid = document.getElementById('case-grid');
  const from = performance.now();
  grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * to;
  const look = () => {
    const box = grid.getBoundingClientRect();
    const row = document.elementFromPoint(box.left + 40, box.top + box.height / 2)?.closest('[role="row"]');
    if (row && row.textContent.trim().length > 3) resolve(performance.now() - from);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}), part);

// From the click on the row in the middle of the view to the frame after the first entry of its case's transcript is in place.
const openCase = (page) => page.evaluate(() => new Promise((resolve) => {
  const box = document.getElementById('case-grid').getBoundingClientRect();
  const row = document.elementFromPoint(box.left + 40, box.top + box.height / 2).closest('[role="row"]');
  const from = performance.now();
  const look = () => {
    if (!document.querySelector('.case__main .turn')) return;
    watch.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - from));
  };
  const watch = new MutationObserver(look);
  watch.observe(document.querySelector('main'), { childList: true, subtree: true });
  row.click();
}));

const CHANGES = [
  ['sort by score', 'by=score'],
  ['sort by time, descending', 'by=-time'],
  ['sort by outcome, then score', 'by=outcome,score'],
  ['sort by id', 'by=id'],
  ['filter score<0.5', `find=${encodeURIComponent('score<0.5')}`],
  ['filter outcome:failed', `find=${encodeURIComponent('outcome:failed')}`],
  ['full text “777”', 'find=777'],
];

const env = await h.start();
try {
  const page = await h.openPage(env, { init: TIMER });
  const from = Date.now();
  await h.openFolder(page, folder);
  if (await h.waitFor(page, 'ready', 'failed') !== 'ready') throw new Error(page.problems.join('; '));
  const opened = Date.now() - from;
  const { cases } = await h.status(page);
  const of = await page.evaluate(() => /of=[^&]+/.exec(location.hash)?.[0] ?? '');
  const address = (rest) => `#/2/cases?${[of, rest].filter(Boolean).join('&')}`;
  const result = [];
  await watch(page);
  result.push(['first rows', await change(page, address(''))]);
  await page.waitForTimeout(3000);
  for (const [name, rest] of CHANGES) {
    const times = [];
    for (let i = 0; i < runs; i += 1) {
      times.push(await change(page, address(rest)));
      await page.waitForTimeout(1500);
      await change(page, address(''));
      await page.waitForTimeout(1500);
    }
    console.error(`bench: ${name}: ${times.map(Math.round).join(' ')} ms`);
    result.push([name, median(times)]);
  }
  const jumps = [];
  for (let i = 0; i < 20; i += 1) { jumps.push(await jump(page, ((i * 7919) % 100) / 100)); await page.waitForTimeout(100); }
  result.push(['jump to anywhere', median(jumps)], ['the slowest of 20 jumps', Math.max(...jumps)]);
  const details = [];
  for (let i = 0; i < 20; i += 1) {
    await jump(page, ((i * 7919 + 50) % 100) / 100);
    await page.waitForTimeout(300);
    details.push(await openCase(page));
    await page.waitForTimeout(500);
    await change(page, address(''));
    await page.waitForTimeout(500);
  }
  console.error(`bench: a case: ${details.map(Math.round).join(' ')} ms`);
  result.push(['a case, from the click: the first', details[0]], ['a case: all 20', median(details)], ['the slowest of the others', Math.max(...details.slice(1))]);
  const { tasks, longestTask } = await watched(page);
  const fixed = await loop(page);
  mkdirSync(join(h.root, 'bench/out'), { recursive: true });
  writeFileSync(join(h.root, 'bench/out/cases.json'), `${JSON.stringify({ cases, opened, runs, seed, result, tasks, longestTask, fixed }, null, 2)}\n`);
  console.log(`${cases.toLocaleString('en')} cases, opened in ${(opened / 1000).toFixed(1)} s; median of ${runs}\n\n| what | ms |\n|---|---|`);
  for (const [name, ms] of result) console.log(`| ${name} | ${Math.round(ms)} |`);
  console.log(`| tasks of the main thread over 50 ms | ${tasks}${tasks ? `, the longest ${Math.round(longestTask)}` : ''} |`);
  console.log(`| a fixed loop in the same page | ${fixed.toFixed(1)}${tasks ? `: the longest task is ${(longestTask / fixed).toFixed(1)} of them` : ''} |`);
  if (page.problems.length) throw new Error(page.problems.join('; '));
} finally {
  await env.stop();
}
