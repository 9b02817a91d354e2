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

/** SplitMix-like numbers in 0..1 from the seed. */
let state = BigInt(seed);
const random = () => { state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn; return Number(state >> 33n) / 2 ** 31; };

/** A folder of one made file, written once. */
function made(name, file, content) {
  const folder = join(h.root, 'target/generated', `${name}-${seed}-${samples}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(content()));
  return folder;
}

const pytest = () => {
  const tests = {}, passed = {}, total = {};
  for (let i = 0; i < samples; i += 1) {
    const kind = ['Core', 'Functionality', 'Regression', 'Error'][i % 4];
    const bucket = tests[`checkpoint_${1 + (i % 3)}-${kind}`] ??= { passed: [], failed: [] };
    const ok = random() < 0.98;
    bucket[ok ? 'passed' : 'failed'].push(`test_case[${i}]`);
    total[kind] = (total[kind] ?? 0) + 1;
    passed[kind] = (passed[kind] ?? 0) + (ok ? 1 : 0);
  }
  return {
    schema_version: 1, problem_name: 'made', problem_version: 1, checkpoint_name: 'checkpoint_3', checkpoint_version: 1, duration: 60, entrypoint: 'main.py', tests,
    pass_counts: passed, total_counts: total, pytest_exit_code: 1, pytest_collected: samples, infrastructure_failure: false,
  };
};

const rebel = () => ({
  metadata: { timestamp: '20260101_000000', total_test_cases: samples },
  test_cases: Array.from({ length: samples }, (_, i) => {
    const results = Array.from({ length: 3 }, () => { const score = Math.round(random() * 100) / 100; return { score, verdict: score >= 0.5 ? 'passed' : 'failed', reason: '' }; });
    const worst = results.reduce((low, r) => (r.score < low.score ? r : low));
    const failed = results.some((r) => r.verdict === 'failed');
    return {
      name: `test_made_[n=${i}]`, tags: [], retry_params: { count: 3, aggregation_strategy: 'min' }, input: { messages: [], api_params: {} }, expected_output: {},
      actual_outputs: results.map(() => ({ output: 'x' })), metrics: [{}], evaluation_results: results,
      aggregated_result: { score: worst.score, verdict: failed ? 'failed' : 'passed', reason: '' },
    };
  }),
});

const DATA = [
  ['letta-evals', folder, [
    ['threshold', 'set.pass=%3E%3D0.7'],
    ['gate threshold', 'set.gate=avg_score(*)%20%3E%3D%200.61'],
    ['gate of three parts', 'set.gate=p95(*)%20%3E%200.5%20and%20(accuracy(*%2C%200.5)%20%3E%2040%20or%20min(*)%20%3E%200)'],
    ['errors as 0', 'set.errors=zero'],
    ['errors left out', 'set.errors=left-out'],
  ]],
  ['slop-code', made('pytest', 'evaluation.json', pytest), [
    ['policy', 'set.policy=any-case'],
    ['weight of a group to 0', 'set.weight%3Acheckpoint_1-Core=0'],
  ]],
  ['rebel', made('rebel', 'test_results_20260101_000000.json', rebel), [['strategy', 'set.strategy=max']]],
];

const env = await h.start();
const result = [];
let cases = 0;

async function measure(producer, path, changes) {
  const page = await h.openPage(env);
  await h.openFolder(page, path);
  if (await h.waitFor(page, 'ready', 'failed') !== 'ready') throw new Error(page.problems.join('; '));
  ({ cases } = await h.status(page));
  const of = await page.evaluate(() => /of=[^&]+/.exec(location.hash)?.[0] ?? '');
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
    location.hash = `#/2/${view}?${[of, rule].filter(Boolean).join('&')}`;
  }), [view, of, rule]);
  for (const [name, rule] of changes) {
    const row = { producer, name, cases };
    for (const view of ['rules', 'overview']) {
      const times = [];
      for (let i = 0; i < runs; i += 1) {
        await page.evaluate(([view, of]) => { location.hash = `#/2/${view}?${of}`; }, [view, of]);
        await page.waitForTimeout(700);
        times.push(await change(view, rule));
        await page.waitForTimeout(300);
      }
      row[view] = Math.round(median(times));
      console.error(`bench: ${producer}, ${view}, ${name}: ${times.map(Math.round).join(' ')} ms`);
    }
    // From the click to the finished download, file included.
    const times = [];
    for (let i = 0; i < runs; i += 1) {
      const from = Date.now();
      const { bytes } = await h.exportReport(page);
      times.push(Date.now() - from);
      row.megabytes = Math.round(bytes.length / 1e5) / 10;
    }
    row.export = median(times);
    result.push(row);
  }
  if (page.problems.length) throw new Error(page.problems.join('; '));
  await page.context().close();
}

try {
  for (const [producer, path, changes] of DATA) await measure(producer, path, changes);
  mkdirSync(join(h.root, 'bench/out'), { recursive: true });
  writeFileSync(join(h.root, 'bench/out/rules.json'), `${JSON.stringify({ runs, seed, result }, null, 2)}\n`);
  console.log(`median of ${runs}\n\n| change | cases | Policies & gates | Overview | export, with the download |\n|---|---|---|---|---|`);
  for (const r of result) console.log(`| ${r.producer}: ${r.name} | ${r.cases.toLocaleString('en')} | ${r.rules} ms | ${r.overview} ms | ${r.export} ms (${r.megabytes} MB) |`);
} finally {
  await env.stop();
}
