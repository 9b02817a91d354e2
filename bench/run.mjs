// Measures the built page in real Chromium, side by side with peers in the same browser: see scenarios.mjs.
// usage: node bench/run.mjs [--only a,b,c,d,e] [--runs 5] [--scale 1] [--readers 1,2,all] [--seed 1]
// Prints the tables for BENCHMARKS.md; every single run goes to bench/out/bench.json, progress to standard error.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';
import { alone, made, native } from './made.mjs';
import { FLAGS } from './memory.mjs';
import { inPage, inPeer, natively } from './open.mjs';
import { median, megabytes, option, round, say, seconds, times } from './options.mjs';
import { phaseRows } from './phases.mjs';
import { SCENARIOS } from './scenarios.mjs';

const scale = Number(option('scale', 1)), runs = Number(option('runs', 5)), seed = option('seed', '1');
const readers = option('readers', '1,2,all').split(',');
const unasked = Object.keys(SCENARIOS).filter((key) => !SCENARIOS[key].asked).join(',');
const only = option('only', unasked).split(',');
for (const key of only) if (!SCENARIOS[key]) { console.error(`no scenario ${key}; there are: ${Object.keys(SCENARIOS).join(' ')}`); process.exit(2); }
process.env.EVALGLASS_WAIT ??= '1200000';

const middle = (list, of) => { const values = list.map(of).filter((value) => value != null); return values.length ? median(values) : null; };

/** The page as a turn, with `n` readers; `aside` tells it from another with as many. */
const inOwn = (n, data, aside) => ({
  key: `evalglass-${n}${aside ? '-alone' : ''}`, readers: n, aside, name: `Evalglass, ${n} reader${n === '1' ? '' : 's'}${aside ? `, ${aside}` : ''}`, run: (env) => inPage(env, data, n),
});

/** All that is measured of a scenario, in turns, so that the machine's moods fall on all alike. */
async function measure(env, { args, peers, native: withNative, alone: end }) {
  const data = made([...args(scale), '--seed', seed]);
  const same = end && alone(data, end);
  const turns = [
    ...peers.map((peer) => ({ key: peer.mode, name: peer.name, run: () => inPeer(env, data, peer) })),
    ...(withNative ? [{ key: 'native', name: 'the native program, with its JSON report', run: () => natively(native(), data) }] : []),
    ...readers.map((n) => inOwn(n, data)),
    ...(same ? readers.map((n) => inOwn(n, same, 'on the same bytes as the peers')) : []),
  ].map((turn) => ({ ...turn, each: [] }));
  for (let i = 0; i < runs; i += 1) {
    for (const turn of turns) {
      // What ran out of memory once does so again.
      if (turn.failed) continue;
      const result = await turn.run(env);
      if (result.failed) { turn.failed = result.failed; say(`${turn.name}: ${result.failed}`); continue; }
      turn.each.push(result);
      say(`${turn.name}: ${seconds(result.ms)}`);
    }
  }
  for (const turn of turns) turn.ms = turn.failed ? null : median(turn.each.map(({ ms }) => ms));
  return { facts: data.facts, args: args(scale), turns };
}

function tables(key, { title }, { facts, args, turns }) {
  const of = (mode) => turns.find((turn) => turn.key === mode);
  const own = turns.filter((turn) => turn.readers);
  const peers = turns.filter((turn) => !turn.readers);
  const lines = [`### (${key}) ${title}${scale === 1 ? '' : `, at scale ${scale}`}`, '', `\`generate ${args.join(' ')}\`: ${facts.cases.toLocaleString('en')} cases, ${megabytes(facts.bytes)}${Number.isInteger(facts.files) ? `, ${facts.files.toLocaleString('en')} files` : ''}. Median of ${runs}.`, ''];
  lines.push(`| what | time |${peers.map((_, at) => ` against ${at + 1} |`).join('')} longest task of the main thread | heaps after |`, `|---|---|${peers.map(() => '---|').join('')}---|---|`);
  for (const [at, turn] of peers.entries()) lines.push(`| ${at + 1}. ${turn.name} | ${turn.failed ?? seconds(turn.ms)} |${peers.map(() => ' |').join('')} | |`);
  for (const turn of own) {
    const longest = middle(turn.each, ({ main }) => main.longestTask), fixed = middle(turn.each, ({ main }) => main.fixed);
    lines.push(`| ${turn.name} | ${seconds(turn.ms)} |${peers.map((peer) => ` ${times(turn.ms, peer.ms)} |`).join('')} ${round(longest)} ms (fixed loop ${round(fixed)} ms) | ${megabytes(middle(turn.each, (run) => run.memory.heaps))} |`);
  }
  // What a user gets: as many readers as the page starts of itself.
  const [usual, same] = [own.filter(({ aside }) => !aside), own.filter(({ aside }) => aside)].map((list) => list.find(({ readers: n }) => n === 'all') ?? list.at(-1));
  for (const { by, faster, holds, words } of SCENARIOS[key].wanted) {
    const peer = of(by);
    if (!peer?.ms) { lines.push('', `Wanted ${words} against “${peer?.name ?? by}”: not known, ${peer?.failed ?? 'not measured'}.`); continue; }
    const ratio = faster ? peer.ms / usual.ms : usual.ms / peer.ms;
    const verdict = scale === 1 ? (holds(ratio) ? ', met' : ', not met') : ', which says nothing at this scale';
    const beside = same ? `; ${same.aside} ${(faster ? peer.ms / same.ms : same.ms / peer.ms).toFixed(2)} ×` : '';
    lines.push('', `Wanted ${words} against “${peer.name}”: ${ratio.toFixed(2)} ×${faster ? ' faster' : ''} (${usual.name})${verdict}${beside}.`);
  }
  lines.push('', `${usual.name}: ${seconds(usual.ms / (facts.bytes / 1e9))} for each GB.`);
  const last = usual.each.find(({ ms }) => ms === usual.ms);
  if (last.phases.length) lines.push('', `Where the time goes (${usual.name}; what ran side by side adds up):`, '', '| where | phase | times | in all | of the opening | longest |', '|---|---|---|---|---|---|', ...phaseRows(last.phases, last.ms));
  else lines.push('', 'The page has put down no phases.');
  const { wasm, workers, user_agent: js, renderer_private: now } = last.memory;
  lines.push('', `Memory (${usual.name}): wasm heap of the app ${megabytes(wasm.app)}, of ${workers} worker${workers === 1 ? '' : 's'} ${megabytes(wasm.workers)}, JavaScript and DOM ${megabytes(js)}; private memory of the page's process ${megabytes(last.memory_before.renderer_private)} before, ${megabytes(now)} after.`, '');
  return lines.join('\n');
}

const env = await h.start({ isolated: true, mounts: { '/lab/peers/': join(h.root, 'bench/peers'), '/lab/modules/': join(h.root, 'node_modules') }, flags: FLAGS });
const machine = { cores: cpus().length, cpu: cpus()[0]?.model.trim(), memory_gb: Math.round(totalmem() / 2 ** 30), chromium: env.browser.version() };
const out = join(h.root, 'bench/out');
mkdirSync(out, { recursive: true });
const result = { ...machine, scale, runs, seed, scenarios: {} };
try {
  console.log(`Chromium ${machine.chromium}, ${machine.cores} cores (${machine.cpu}), ${machine.memory_gb} GB.\n`);
  for (const key of only) {
    say(`(${key}) ${SCENARIOS[key].title}`);
    result.scenarios[key] = await measure(env, SCENARIOS[key]);
    console.log(tables(key, SCENARIOS[key], result.scenarios[key]));
    // After each, so that a later one that fails takes nothing with it.
    writeFileSync(join(out, 'bench.json'), `${JSON.stringify(result, null, 2)}\n`);
  }
} finally {
  await env.stop();
}
