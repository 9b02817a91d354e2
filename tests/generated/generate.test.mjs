// What examples/generate writes is what it says, and a reader finds nothing wrong with it. The programs must be built.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const programs = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug/examples');
const home = mkdtempSync(join(tmpdir(), 'evalglass-generated-'));
after(() => rmSync(home, { recursive: true, force: true }));

const call = (program, ...args) => JSON.parse(execFileSync(join(programs, program), args, { encoding: 'utf8', maxBuffer: 1 << 28 }));
const files = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
const bytes = (list) => list.reduce((sum, file) => sum + statSync(file).size, 0);
const digest = (folder) => {
  const hash = createHash('sha256');
  for (const file of files(folder)) hash.update(relative(folder, file)).update(readFileSync(file));
  return hash.digest('hex');
};
let n = 0;
function made(...args) {
  n += 1;
  const folder = join(home, `${n}`);
  return { folder, facts: call('generate', '--out', folder, ...args) };
}
/** What the native program finds in `folder`, summed up. */
function read(folder) {
  const report = call('report', folder);
  const sum = (member) => report.runs.reduce((all, run) => all + (run.counts[member] ?? 0), 0);
  return {
    evaluations: report.evaluations.length, runs: report.runs.length, cases: sum('total'), passed: sum('passed'),
    notes: report.notes, differences: report.audit.filter((entry) => !entry.agrees), compared: report.audit.length,
  };
}
const near = (value, wanted, share) => assert.ok(Math.abs(value / wanted - 1) <= share, `${value}, wanted about ${wanted}`);

for (const kind of [['slop-code', '--checkpoints', '7', '--megabytes', '5'], ['tree', '--files', '200', '--megabytes', '10'], ['parquet', '--cases', '5100'], ['letta', '--samples', '200', '--megabytes', '1']]) {
  test(`${kind[0]}: the same arguments write the same bytes, another seed others`, () => {
    const [one, two, other] = [made('--kind', ...kind), made('--kind', ...kind), made('--kind', ...kind, '--seed', '2')];
    assert.deepEqual(one.facts, two.facts);
    assert.equal(digest(one.folder), digest(two.folder));
    assert.notEqual(digest(one.folder), digest(other.folder));
  });
}

for (const [name, args, wanted] of [
  ['a run directory', ['--kind', 'slop-code', '--checkpoints', '12', '--megabytes', '9'], { checkpoints: 12, megabytes: 9 }],
  ['a tree', ['--kind', 'tree', '--files', '700', '--megabytes', '42'], { files: 700, megabytes: 42 }],
]) {
  test(`${name} of slop-code holds what it says, and agrees with itself`, () => {
    const { folder, facts } = made(...args);
    const all = files(folder);
    const [pruned, rest] = [all.filter((file) => file.includes('/snapshot/')), all.filter((file) => !file.includes('/snapshot/'))];
    assert.deepEqual([facts.files, facts.pruned_files, facts.bytes], [rest.length, pruned.length, bytes(rest)]);
    near(facts.bytes, wanted.megabytes * 1e6, 0.05);
    if (wanted.checkpoints) assert.equal(facts.runs, wanted.checkpoints);
    // The next checkpoint would be too many.
    else assert.ok(facts.files <= wanted.files && facts.files > wanted.files - 21, `${facts.files} files`);
    const { notes, differences, compared, ...held } = read(folder);
    assert.deepEqual(held, { evaluations: facts.evaluations, runs: facts.runs, cases: facts.cases, passed: facts.passed });
    assert.deepEqual(differences, []);
    assert.ok(compared > 50 * facts.runs, `${compared} figures compared`);
    // Nothing is noted but what is left out: a folder of each checkpoint, and logs and prompts in one line.
    assert.deepEqual([...new Set(notes.map((note) => note.kind))], ['skipped']);
    assert.deepEqual([notes.filter((note) => note.file.endsWith('/snapshot')).length, notes.length], [facts.runs, facts.runs + 1]);
  });
}

test('cases in Parquet hold what it says, over several groups', () => {
  const { folder, facts } = made('--kind', 'parquet', '--cases', '20100');
  assert.deepEqual([facts.groups, facts.attributes, facts.bytes], [5, 402_000, bytes(files(folder))]);
  const { notes, differences, compared, ...held } = read(folder);
  assert.deepEqual(held, { evaluations: 1, runs: 1, cases: 20_100, passed: facts.passed });
  assert.deepEqual([differences, notes], [[], []]);
  assert.ok(compared > 0);
});

test('letta-evals: short rows too, as many bytes as asked for', () => {
  const { folder, facts } = made('--samples', '2000', '--megabytes', '2');
  near(facts.bytes, 2e6, 0.02);
  const { notes, differences, compared, ...held } = read(folder);
  assert.deepEqual([held.cases, notes, differences], [facts.cases, [], []]);
  assert.ok(compared > 0);
});
