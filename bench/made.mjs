// Folders to measure with: written once by examples/generate, and again when that program is newer than they are.
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../tests/e2e/harness.mjs';
import { say } from './options.mjs';

const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
let program = null;

/** The example `generate`, built once. */
function generator() {
  if (!program) {
    execFileSync('cargo', ['build', '--locked', '--quiet', '--example', 'generate'], { cwd: root, stdio: ['ignore', 2, 2] });
    program = join(target, 'debug/examples/generate');
  }
  return program;
}

/** A generated folder: `{folder, facts, files}`; `args` is what examples/generate is told, without `--out`. */
export function made(args) {
  const generate = generator();
  const folder = join(target, 'generated', args.join('_').replaceAll('--', ''));
  const note = `${folder}.json`;
  if (!existsSync(note) || statSync(note).mtimeMs < statSync(generate).mtimeMs) {
    say(`generate ${args.join(' ')}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    const facts = execFileSync(generate, ['--out', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
    writeFileSync(note, facts);
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.includes('/snapshot/'));
  return { folder, facts: JSON.parse(readFileSync(note, 'utf8')), files };
}

/** The same with the files alone whose names end with `end`, in a folder of its own. */
export function alone({ folder, facts, files }, end) {
  const own = `${folder}_alone`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  const kept = files.filter((file) => file.endsWith(end)).map((file) => [file, join(own, basename(file))]);
  for (const [file, link] of kept) linkSync(file, link);
  return { folder: own, facts, files: kept.map(([, link]) => link) };
}

/** The example `report`, built for speed unless EVALGLASS_REPORT names one. */
export function native() {
  if (process.env.EVALGLASS_REPORT) return process.env.EVALGLASS_REPORT;
  say('building the native program');
  execFileSync('cargo', ['build', '--locked', '--quiet', '--release', '--example', 'report'], { cwd: root, stdio: ['ignore', 2, 2] });
  return join(target, 'release/examples/report');
}
