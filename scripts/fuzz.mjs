// `make fuzz`: builds the fuzzer, runs each target for a while, ends with a table and with what was found.
// usage: node scripts/fuzz.mjs [--seconds 60] [--minimise] [--built] [target …]
//   --built      with the program as it was built before
//   --minimise   afterwards, puts the smallest inputs that reach everything known into fuzz/corpus
// libFuzzer on the stable toolchain: LLVM's pass for coverage is asked for by flags of its own, and libFuzzer itself comes as the
// source in the crate libfuzzer-sys. What it finds lies in fuzz/found; inputs that reach something new are kept beside the build.
import { spawnSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const FLAGS = [
  '-Cpasses=sancov-module',
  ...['level=4', 'inline-8bit-counters', 'pc-table', 'trace-compares'].map((flag) => `-Cllvm-args=-sanitizer-coverage-${flag}`),
];
const KB = 1 << 10;
// Bytes that the corpus of a target may have in the tree; all of them together stay below 1 MB (tests/it/fuzzed.rs).
const CORPUS = 48 * KB;
const SECONDS_PER_INPUT = 20;

// Longest input, and which fixtures are seeds: by the ends of their names, or whole folders as one input.
const SETTINGS = {
  json: { max: 2 * KB, files: ['.json'] },
  slices: { max: 2 * KB, files: ['.json', '.jsonl'] },
  yaml: { max: 4 * KB, files: ['.yaml', '.yml'] },
  filter: { max: 300 }, gate: { max: 300 }, address: { max: 600 }, source: { max: 400 },
  gallery: { max: 2 * KB }, messages: { max: 600 }, shown: { max: 2 * KB, files: ['.md', '.txt', '.diff'] },
  csv: { max: 4 * KB, files: ['.csv', '.tsv'] },
  sqlite: { max: 40 * KB, files: ['.sqlite', '.sqlite3', '.db'] },
  arrow: { max: 8 * KB, files: ['.arrow', '.feather'] },
  parquet: { max: 10 * KB, files: ['.parquet'] },
  mapping: { max: 4 * KB },
  xml: { max: 8 * KB, files: ['.xml'] },
  unwrap: { max: 12 * KB, files: ['.gz', '.zip', '.tar', '.zst', '.eval'] },
  readers: { max: 16 * KB, folders: 'reader' },
  pages: { max: 16 * KB, folders: 'plain' },
};

const args = process.argv.slice(2);
const takes = (name) => { const at = args.indexOf(name); return at >= 0 && args.splice(at, 1).length > 0; };
const valueOf = (name, or) => { const at = args.indexOf(name); return at < 0 ? or : args.splice(at, 2)[1]; };
const minimises = takes('--minimise');
const isBuilt = takes('--built');
const seconds = Number(valueOf('--seconds', process.env.TIME || 60));
const only = args;
if (!(seconds > 0)) fail(`the time for each target is a number of seconds, not ${valueOf('--seconds', process.env.TIME)}`);

function fail(message) { console.error(`fuzz: ${message}`); process.exit(2); }
const runs = (command, ...rest) => spawnSync(command, rest, { encoding: 'utf8' });
const has = (command) => runs(command, '--version').status === 0;

// What is needed besides Rust: a compiler of C++ for libFuzzer, and its crate.
if (!has('cargo')) fail('cargo is missing. Run:  make tools');
if (!has('c++') && !has('clang++')) {
  const mayInstall = process.getuid?.() === 0 && has('apt-get');
  if (mayInstall) spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq --no-install-recommends g++'], { stdio: 'inherit' });
  if (!has('c++')) fail('a compiler of C++ is missing, which builds libFuzzer. Run:  sudo apt-get install -y g++');
}
const manifest = ['--locked', '--manifest-path', 'fuzz/Cargo.toml'];
if (runs('cargo', 'fetch', '--quiet', ...manifest).status !== 0) fail(`the crates of fuzz/Cargo.lock could not be fetched. Try:  cargo fetch ${manifest.join(' ')}`);

const host = /^host: (.+)$/m.exec(runs('rustc', '-vV').stdout)?.[1] ?? fail('rustc does not say what it builds for');
const target = resolve(process.env.CARGO_TARGET_DIR ?? 'target');
const env = { ...process.env, CARGO_TARGET_DIR: target, RUSTFLAGS: FLAGS.join(' ') };
if (!has('c++')) env.CXX = 'clang++';
// With a target named, the flags are not those of build scripts.
const build = () => spawnSync('cargo', ['build', '--release', ...manifest, '--target', host], { stdio: 'inherit', env });
if (!isBuilt && build().status !== 0) fail('the fuzzer cannot be built');
const program = join(target, host, 'release/evalglass-fuzz');

const listed = spawnSync(program, [], { encoding: 'utf8', env: { ...process.env, EVALGLASS_FUZZ: 'list' } });
const names = listed.stdout.trim().split('\n');
for (const name of only) if (!names.includes(name)) fail(`no target ${name}; there are: ${names.join(' ')}`);

// Every file below a folder, in a fixed order.
const below = (folder) => readdirSync(folder, { withFileTypes: true })
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .flatMap((entry) => (entry.isDirectory() ? below(join(folder, entry.name)) : [join(folder, entry.name)]));
const FIXTURES = 'tests/fixtures';

/// Folders of fixtures as inputs that hold several files, each with its path: those that fit.
function folderSeeds(kind, max) {
  const folders = new Map();
  for (const file of below(FIXTURES)) {
    if (['expected.json', 'console.txt'].includes(basename(file))) continue;
    // A folder, the one above it, and the one above that: what lies deeper belongs to it.
    for (let folder = dirname(file), nth = 0; folder !== FIXTURES && nth < 3; folder = dirname(folder), nth += 1) {
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
    folders.set(file, [file]);
  }
  const seeds = [];
  for (const [folder, files] of folders) {
    const parts = files.map((file) => Buffer.concat([Buffer.from(`\n=== FILE ${file.slice(FIXTURES.length + 1).split('/').slice(2).join('/') || basename(file)}\n`), readFileSync(file)]));
    const tool = folder.split('/')[2];
    const reader = { bad: 'slop-code', guides: 'slop-code', parquet: 'table', evalglass: 'evalglass' }[tool] ?? tool;
    const seed = Buffer.concat([...(kind === 'reader' ? [Buffer.from(reader)] : []), ...parts]);
    if (seed.length <= max) seeds.push(seed);
  }
  return seeds;
}

function seedsOf({ max, files, folders }) {
  if (folders) return folderSeeds(folders, max);
  if (!files) return [];
  const fits = (file) => files.some((end) => file.endsWith(end)) && statSync(file).size <= max && statSync(file).size > 0;
  return below(FIXTURES).filter(fits).map((file) => readFileSync(file));
}

const named = (bytes) => createHash('sha1').update(bytes).digest('hex');
function folder(...parts) { const path = join(...parts); mkdirSync(path, { recursive: true }); return path; }

function settingsOf(name) {
  const settings = { max: 4 * KB, ...SETTINGS[name] };
  return { ...settings, seeds: seedsOf(settings) };
}

function fuzz(name) {
  const { max, seeds } = settingsOf(name);
  const found = folder('fuzz/found');
  const working = folder(target, 'fuzz/corpus', name);
  const own = folder('fuzz/corpus', name);
  const seeded = folder(target, 'fuzz/seeds', name);
  for (const seed of seeds) writeFileSync(join(seeded, named(seed)), seed);
  const options = [`-max_total_time=${seconds}`, `-timeout=${SECONDS_PER_INPUT}`, '-rss_limit_mb=3000', `-max_len=${max}`, '-print_final_stats=1', '-reload=0', `-artifact_prefix=${found}/${name}-`];
  const from = Date.now();
  return new Promise((done) => {
    const child = spawn(program, [...options, working, own, seeded], { env: { ...process.env, EVALGLASS_FUZZ: name }, stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
    child.on('close', (code) => {
      const stat = (word) => Number(new RegExp(`stat::${word}:\\s+(\\d+)`).exec(text)?.[1] ?? [...text.matchAll(/^#(\d+)\s/gm)].at(-1)?.[1] ?? 0);
      const cov = [...text.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? '?';
      const artifact = /Test unit written to (.*)$/m.exec(text)?.[1];
      const why = /panicked at [^\n]*\n[^\n]*/.exec(text)?.[0].replace('\n', ' ') ?? /ERROR: libFuzzer: [^\n]*/.exec(text)?.[0] ?? '';
      const tail = text.split('\n').slice(-15).join('\n');
      done({ name, executions: stat('number_of_executed_units'), minutes: (Date.now() - from) / 60_000, edges: cov, artifact, why, isBad: code !== 0, tail });
    });
  });
}

/// The smallest inputs that reach everything that is known, as far as they fit into the tree.
function minimise(name) {
  const { max } = settingsOf(name);
  const merged = mkdtempSync(join(folder(target, 'fuzz'), 'merged-'));
  const sources = [folder('fuzz/corpus', name), folder(target, 'fuzz/corpus', name), folder(target, 'fuzz/seeds', name)];
  const merge = spawnSync(program, ['-set_cover_merge=1', `-max_len=${max}`, `-timeout=${SECONDS_PER_INPUT}`, merged, ...sources], { encoding: 'utf8', env: { ...process.env, EVALGLASS_FUZZ: name } });
  if (merge.status !== 0) fail(`the corpus of ${name} cannot be made smaller:\n${merge.stderr.slice(-2000)}`);
  const inputs = readdirSync(merged).map((file) => ({ file, bytes: statSync(join(merged, file)).size }));
  inputs.sort((a, b) => a.bytes - b.bytes || (a.file < b.file ? -1 : 1));
  const own = join('fuzz/corpus', name);
  for (const old of readdirSync(own)) if (/^[0-9a-f]{40}$/.test(old)) rmSync(join(own, old));
  let total = readdirSync(own).reduce((sum, file) => sum + statSync(join(own, file)).size, 0);
  for (const { file, bytes } of inputs) {
    if (total + bytes > CORPUS) break;
    total += bytes;
    writeFileSync(join(own, file), readFileSync(join(merged, file)));
  }
  rmSync(merged, { recursive: true });
  return total;
}

const results = [];
for (const name of names) {
  if (only.length && !only.includes(name)) continue;
  process.stdout.write(`fuzz: ${name} … `);
  const result = await fuzz(name);
  results.push(result);
  console.log(`${result.executions} executions, ${result.edges} edges${result.isBad ? ', and a finding' : ''}`);
  if (result.isBad) console.log(`  ${result.why || result.tail}\n  ${result.artifact ?? ''}`);
  if (minimises && !result.isBad) console.log(`  ${minimise(name)} bytes of corpus`);
}

const rows = [['target', 'executions', 'minutes', 'edges', 'found'], ...results.map((one) => [one.name, String(one.executions), one.minutes.toFixed(1), one.edges, one.isBad ? one.artifact ?? 'it ended' : 'nothing'])];
const widths = rows[0].map((_, nth) => Math.max(...rows.map((row) => row[nth].length)));
console.log(`\n${rows.map((row) => row.map((cell, nth) => cell.padEnd(widths[nth])).join('  ').trimEnd()).join('\n')}`);
process.exitCode = results.some((one) => one.isBad) ? 1 : 0;
