// `make test`: installs what is missing, runs every check, goes on after a failure, ends with a plain line `N passed, N failed`.
// usage: node scripts/test.mjs [name of a step …]
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const MINUTE = 60_000;
const browserTests = existsSync('tests/e2e') ? readdirSync('tests/e2e').filter((f) => f.endsWith('.test.mjs')).map((f) => `tests/e2e/${f}`).sort() : [];
// They press keys while pages come and go, or hold messages back: what another file does to the machine beside them is not theirs.
const ALONE = ['keyboard', 'many'].map((name) => `tests/e2e/${name}.test.mjs`);

// `counts`: the step prints how many tests passed and failed; any other step is one check. `beside`: the step begins after the
// setup, one such step after another, beside those above it, and its output is printed in its place. What is compiled in several
// target folders keeps one core waiting for much of the time: two builds at once take a quarter less. Nothing that opens a
// browser runs then.
const steps = [
  { name: 'setup', run: './scripts/setup.sh test' },
  { name: 'setup-ways', run: 'node --test --test-reporter=spec tests/setup/tools.test.mjs', counts: 'node' },
  { name: 'format', run: 'cargo fmt --check' },
  { name: 'clippy', run: 'cargo clippy --locked --all-targets -- -D warnings' },
  { name: 'clippy-wasm', run: 'cargo clippy --locked --target wasm32-unknown-unknown --lib --bins -- -D warnings' },
  { name: 'test', run: 'cargo test --locked --no-fail-fast', counts: 'cargo' },
  { name: 'exports', run: 'cargo build --locked --quiet --example report && "$PYTHON" tests/export/check.py "${CARGO_TARGET_DIR:-target}/debug/examples/report"' },
  { name: 'comparisons', run: 'cargo build --locked --quiet --example report && "$PYTHON" tests/export/compare.py "${CARGO_TARGET_DIR:-target}/debug/examples/report"' },
  // The first build of DataFusion is long, and QUICK would make it longer; EVALGLASS_SQL names a program that is built already.
  // Clones share its folder, and Cargo takes what another one has built for fresh where the sources here are older than that.
  { name: 'sql', run: 'cargo build --locked --quiet --example report && export CARGO_PROFILE_DEV_OPT_LEVEL=0 && cargo fmt --check --manifest-path crates/sql/Cargo.toml && touch crates/sql/src/lib.rs && cargo test --locked --quiet --lib --manifest-path crates/sql/Cargo.toml --target-dir "$EVALGLASS_SQL_TARGET" && "$PYTHON" tests/sql/crash.py "${CARGO_TARGET_DIR:-target}/debug/examples/report" && "$PYTHON" tests/sql/check.py "${CARGO_TARGET_DIR:-target}/debug/examples/report"', limit: 90 * MINUTE },
  { name: 'generated', run: 'cargo build --locked --quiet --example generate --example report && node --test --test-reporter=spec tests/generated/generate.test.mjs', counts: 'node' },
  { name: 'doc', run: 'RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items' },
  { name: 'test-wasm', run: 'export CARGO_PROFILE_DEV_OPT_LEVEL=0 && cargo test --locked --target wasm32-unknown-unknown --test web', counts: 'cargo', skip: !existsSync('tests/web.rs') && 'there is no tests/web.rs' },
  // Once for each state of crates/sql it builds the engine of page SQL as well: the one that is built quickly, unless the small one is there.
  { name: 'dist', run: 'EVALGLASS_SQL_BUILD=quick ./scripts/dist.sh', beside: true, limit: 60 * MINUTE },
  { name: 'sizes', run: 'node scripts/sizes.mjs dist' },
  // Journeys wait for frames and answers: two files at once take three quarters of the time of one after the other.
  { name: 'e2e', run: `node --test --test-concurrency=2 --test-reporter=spec ${browserTests.filter((f) => !ALONE.includes(f)).join(' ')}`, counts: 'node', skip: browserTests.length === 0 && 'there are no browser tests', limit: 30 * MINUTE },
  { name: 'e2e-alone', run: `node --test --test-concurrency=1 --test-reporter=spec ${ALONE.join(' ')}`, counts: 'node', skip: browserTests.length === 0 && 'there are no browser tests' },
  // Not for its times: that every scenario still opens, and that page and peers read what was generated.
  { name: 'bench', run: 'cargo build --locked --quiet --example report && EVALGLASS_REPORT="${CARGO_TARGET_DIR:-target}/debug/examples/report" node bench/run.mjs --scale 0.005 --runs 1 --readers 1' },
];

const only = process.argv.slice(2);
for (const name of only) if (!steps.some((s) => s.name === name)) { console.error(`no step ${name}; there are: ${steps.map((s) => s.name).join(' ')}`); process.exit(2); }

const plain = (text) => text.replace(/\x1b\[[0-9;]*m/g, '');
const count = {
  cargo: (text) => [...text.matchAll(/^test result: .*?(\d+) passed; (\d+) failed/gm)].map((m) => [+m[1], +m[2]]),
  node: (text) => {
    const of = (word) => [...text.matchAll(new RegExp(`^(?:ℹ|#) ${word} (\\d+)$`, 'gm'))].map((m) => +m[1]).at(-1) ?? 0;
    return [[of('pass'), of('fail') + of('cancelled')]];
  },
};

// Failed tests as node's reporter lists them at the end: where each stands, its name, the first lines of the reason.
const failures = (text) => (text.split(/^✖ failing tests:$/m)[1] ?? '').split(/^test at (?=\S+:\d+:\d+$)/m).slice(1)
  .map((one) => one.trimEnd().split('\n').slice(0, 20).join('\n'));

// Tests compute more than it takes to compile them: with these the whole takes two thirds of the time, and without lines for
// backtraces (a failed test says its own) building takes a seventh less. They are of no use to somebody
// who changes a line and runs one test, so they do not stand in Cargo.toml.
const QUICK = { CARGO_INCREMENTAL: '0', CARGO_PROFILE_DEV_OPT_LEVEL: '1', CARGO_PROFILE_DEV_LTO: 'off', CARGO_PROFILE_DEV_DEBUG: '0' };

/** Runs a step. What it prints is printed at once, or held back until `go` is called. */
const run = (step, { hold = false } = {}) => {
  const began = Date.now();
  const held = [];
  const print = (to, chunk) => { if (hold) held.push([to, chunk]); else to.write(chunk); };
  const ended = new Promise((resolve) => {
    const child = spawn('bash', ['-c', `. scripts/env.sh; ${step.run}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Own group, so that a step that hangs ends with all it started.
      detached: true,
      env: {
        ...process.env,
        INSTA_UPDATE: 'no',
        ...QUICK,
        // Everything is here after the setup; no later step may reach for the network.
        ...(step.name === 'setup' ? {} : { CARGO_NET_OFFLINE: 'true' }),
      },
    });
    let text = '', late = false;
    const end = () => { try { process.kill(-child.pid, 'SIGKILL'); } catch { /* it has ended */ } };
    const timer = setTimeout(() => { late = true; end(); }, step.limit ?? 30 * MINUTE);
    process.once('exit', end);
    for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
      from.setEncoding('utf8');
      from.on('data', (chunk) => { text += chunk; print(to, chunk); });
    }
    child.on('close', (code) => {
      clearTimeout(timer);
      process.removeListener('exit', end);
      resolve({ code: late ? 'time limit' : code, text: plain(text), seconds: (Date.now() - began) / 1000 });
    });
  });
  return { ended, go: () => { hold = false; for (const [to, chunk] of held.splice(0)) to.write(chunk); } };
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const chosen = steps.filter(({ name }) => only.length === 0 || only.includes(name));
// Two builds need memory for two.
const lane = totalmem() > 12e9 ? chosen.filter((step) => step.beside && !step.skip) : [];
const begun = new Map();
/** The steps of the lane, one after another; each can be waited for at once. */
const beside = () => {
  let before = Promise.resolve();
  for (const step of lane) {
    const started = before.then(() => run(step, { hold: true }));
    begun.set(step, started);
    before = started.then(({ ended }) => ended);
  }
};

let passed = 0, failed = 0;
const summary = [], reasons = [];
if (chosen[0]?.name !== 'setup') beside();
for (const step of chosen) {
  if (step.skip) { summary.push(`  skipped ${step.name}: ${step.skip}`); continue; }
  console.log(`\n== ${step.name}: ${step.run}`);
  const { ended, go } = await begun.get(step) ?? run(step);
  go();
  const { code, text, seconds } = await ended;
  if (step.name === 'setup') beside();
  let good = 0, bad = 0;
  if (step.counts) for (const [p, f] of count[step.counts](text)) { good += p; bad += f; }
  else if (code === 0) good = 1;
  // A step that fails without a failed test (it did not compile, it hung) is a failure of its own.
  if (code !== 0 && bad === 0) bad = 1;
  if (code === 0 && step.counts && good === 0 && bad === 0) bad = 1;
  passed += good;
  failed += bad;
  reasons.push(...failures(text));
  const why = code === 0 ? '' : `, ended with ${code}`;
  summary.push(`  ${bad ? 'FAILED' : 'ok    '} ${step.name}: ${good} passed, ${bad} failed${why} (${seconds.toFixed(0)} s${begun.has(step) ? ', beside others' : ''})`);
}
// Beside the summary: where output is cut, its end is kept.
if (reasons.length) console.log(`\nWhy tests failed:\n\n${reasons.join('\n\n')}`);
console.log(`\n${summary.join('\n')}\n${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
