// Measures what a change of rules costs in the built page: from the address's change until strip, tree and the open page show
// the new figures, with a generated letta-evals folder. Also the worker's own time to export the report.
// usage: node bench/rules.mjs [--megabytes 40] [--samples 50000] [--runs 5] [--seed 1] [--folder DIR]
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';

const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? or : process.argv[at + 1]; };
const megabytes = Number(option('megabytes', 40)), samples = Number(option('samples', 50_000));
const runs = Number(option('runs', 5)), seed = Number(option('seed', 1));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
process.env.EVALGLASS_WAIT ??= '600000';

let folder = option('folder');
if (!folder) {
  execFileSync('cargo', ['build', '--locked', '--quiet', '--example', 'generate'], { cwd: h.root, stdio: ['ignore', 2, 2] });
  ({ folder } = await h.generated({ samples, megabytes, seed }));
}

const CHANGES = [
  ['threshold', 'set.pass=%3E%3D0.7'],
  ['gate threshold', 'set.gate=avg_score(*)%20%3E%3D%200.61'],
  ['gate of three parts', 'set.gate=p95(*)%20%3E%200.5%20and%20(accuracy(*%2C%200.5)%20%3E%2040%20or%20min(*)%20%3E%200)'],
  ['errors as 0', 'set.errors=zero'],
  ['errors left out', 'set.errors=left-out'],
];

const env = await h.start();
const result = [];
try {
  const page = await h.openPage(env);
  await h.openFolder(page, folder);
  if (await h.waitFor(page, 'ready', 'failed') !== 'ready') throw new Error(page.problems.join('; '));
  const { cases } = await h.status(page);
  const of = await page.evaluate(() => /of=[\d.]+/.exec(location.hash)?.[0] ?? '');
  // The clock starts with the address and stops when the strip and the open page have both been drawn anew.
  const change = (view, rule) => page.evaluate(([view, of, rule]) => new Promise((resolve) => {
    const strip = document.querySelector('.strip'), main = document.querySelector('.app__main');
    const seen = new Set();
    const from = performance.now();
    const watch = new MutationObserver((list) => {
      for (const { target } of list) seen.add(strip.contains(target) ? 'strip' : 'page');
      if (seen.size === 2) { watch.disconnect(); requestAnimationFrame(() => resolve(performance.now() - from)); }
    });
    watch.observe(main, { childList: true, subtree: true, characterData: true });
    location.hash = `#1/${view}?${[of, rule].filter(Boolean).join('&')}`;
  }), [view, of, rule]);
  for (const view of ['rules', 'overview']) {
    for (const [name, rule] of CHANGES) {
      const times = [];
      for (let i = 0; i < runs; i += 1) {
        await page.evaluate(([view, of]) => { location.hash = `#1/${view}?${of}`; }, [view, of]);
        await page.waitForTimeout(700);
        times.push(await change(view, rule));
        await page.waitForTimeout(300);
      }
      result.push({ view, name, ms: Math.round(median(times)), all: times.map(Math.round) });
      console.error(`bench: ${view}, ${name}: ${times.map(Math.round).join(' ')} ms`);
    }
  }
  if (page.problems.length) throw new Error(page.problems.join('; '));
  mkdirSync(join(h.root, 'bench/out'), { recursive: true });
  writeFileSync(join(h.root, 'bench/out/rules.json'), `${JSON.stringify({ cases, runs, result }, null, 2)}\n`);
  console.log(`${cases.toLocaleString('en')} cases, median of ${runs}\n\n| change | Policies & gates | Overview |\n|---|---|---|`);
  for (const [name] of CHANGES) {
    const ms = (view) => result.find((r) => r.view === view && r.name === name).ms;
    console.log(`| ${name} | ${ms('rules')} ms | ${ms('overview')} ms |`);
  }
} finally {
  await env.stop();
}
