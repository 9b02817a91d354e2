// What is measured: the folders, the peers beside them, and what is wanted. Sizes are those of scale 1. `alone`: the page opens the
// files that the peers read without the others of the folder as well, so that all read the same bytes.

const READ = { name: 'reading the bytes alone', mode: 'read' };
const KEEP = [
  { name: 'a page that parses lines and keeps the rows, main thread', mode: 'keep-main', choose: '.jsonl', check: { rows: 'cases' } },
  { name: 'the same in a worker', mode: 'keep-worker', choose: '.jsonl', check: { rows: 'cases' } },
];
const scaled = (n, scale) => `${Math.max(1, Math.round(n * scale))}`;
const letta = (samples, megabytes) => (scale) => ['--samples', scaled(samples, scale), '--megabytes', scaled(megabytes, scale)];
// `by` is a peer's mode: wanted is at most, or at least, that many times its time.
const atMost = (by, times) => ({ by, times, holds: (ratio) => ratio <= times, words: `≤ ${times} ×` });
const faster = (by, times) => ({ by, times, faster: true, holds: (ratio) => ratio >= times, words: `≥ ${times} × faster` });

export const SCENARIOS = {
  a: {
    title: '400 MB of JSONL, 50,000 long transcripts', args: letta(50_000, 400), alone: '.jsonl',
    peers: [{ ...READ, choose: '.jsonl' }, ...KEEP],
    wanted: [atMost('read', 2), faster('keep-main', 3.5), faster('keep-worker', 3.5)],
  },
  b: {
    title: '1.1 GB of JSONL, 1,000,000 short rows', args: letta(1_000_000, 1100), alone: '.jsonl',
    peers: [{ ...READ, choose: '.jsonl' }, ...KEEP],
    wanted: [faster('keep-main', 4), faster('keep-worker', 4)],
  },
  c: {
    title: '300,000 nested cases of slop-code in zstd Parquet', args: (scale) => ['--kind', 'parquet', '--cases', scaled(300_000, scale)],
    peers: [
      { ...READ, choose: '.parquet' },
      { name: 'hyparquet, rows of the same columns', mode: 'hyparquet', choose: '.parquet', check: { rows: 'cases', passed: 'passed' } },
      { name: 'parquet-wasm, the same columns decoded', mode: 'parquet-wasm', choose: '.parquet', check: { rows: 'cases' } },
    ],
    wanted: [faster('hyparquet', 15), atMost('parquet-wasm', 1)],
  },
  d: {
    title: 'a run directory of 1,800 checkpoints', args: (scale) => ['--kind', 'slop-code', '--checkpoints', scaled(1_800, scale), '--megabytes', scaled(400, scale)],
    peers: [{ ...READ, choose: 'folder' }], native: true, wanted: [],
  },
  e: {
    title: 'a tree of 10,000 small files', args: (scale) => ['--kind', 'tree', '--files', scaled(10_000, scale)],
    peers: [{ ...READ, choose: 'folder' }], native: true, wanted: [atMost('native', 2)],
  },
  // The same cases in ten times the bytes: only when asked for.
  f: { title: '1 GB of JSONL, 125,000 cases', args: letta(125_000, 1_000), peers: [{ ...READ, choose: '.jsonl' }], wanted: [], asked: true },
  g: { title: '10 GB of JSONL, 125,000 cases', args: letta(125_000, 10_000), peers: [{ ...READ, choose: '.jsonl' }], wanted: [], asked: true },
};
