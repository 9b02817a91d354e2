// A folder that is ready to be published: the built page, a copy of a folder of results, and the gallery that leads to them.
// usage: node scripts/site.mjs --results DIR [--out site] [--title TITLE] [--from dist]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';

// As `is_pruned_folder` in src/input/open.rs: what a drop leaves out is not published either.
const PRUNED = ['snapshot', 'agent', '.git', 'node_modules', '__pycache__', '.venv', 'venv'];
const FOLDER = 'results';

const fail = (why) => { console.error(`site.mjs: ${why}`); process.exit(1); };
const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 || !process.argv[at + 1] ? or : process.argv[at + 1]; };
const results = option('results'), from = option('from', 'dist'), out = option('out', 'site');
if (!results || !existsSync(results) || !statSync(results).isDirectory()) fail(`${results ?? 'nothing'} is no folder of results. usage: make site DIR=results [OUT=site] [TITLE="…"]`);
if (!existsSync(join(from, 'sw.js'))) fail(`${from} holds no built page: run \`make dist\` first`);
const holds = (outer, inner) => `${resolve(inner)}${sep}`.startsWith(`${resolve(outer)}${sep}`);
if (holds(results, out) || holds(out, results) || holds(out, from) || holds(from, out)) fail(`${out} must lie outside of ${results} and ${from}, and they outside of it`);
// Only what this script has made is made anew.
if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, 'sw.js'))) fail(`${out} holds other things; name an empty folder with OUT=…`);

// As `is_opened_within` in src/input/within.rs: the streams of an agent, and nothing around them.
const STREAMS = /(^|\/)agent(\/(stdout\.jsonl|workspace(\/projects(\/[^/]+(\/agent-[^/]*\.jsonl)?)?)?))?$/;
const isHidden = (path) => {
  const parts = relative(results, path).split(sep), at = parts.findIndex((name) => name.startsWith('.') || PRUNED.includes(name));
  return at >= 0 && !(parts[at] === 'agent' && STREAMS.test(parts.slice(at).join('/')));
};
const entries = (dir) => readdirSync(dir, { withFileTypes: true }).filter(({ name }) => !isHidden(join(dir, name))).sort((a, b) => (a.name < b.name ? -1 : 1));
/** Every file below `path`, or the file itself. */
const filesOf = (path) => (statSync(path).isDirectory() ? entries(path).flatMap(({ name }) => filesOf(join(path, name))) : [path]);
/** As an address, from the folder of results. */
const address = (file) => relative(results, file).split(sep).map(encodeURIComponent).join('/');

const git = (...args) => { try { return execFileSync('git', ['-C', results, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(); } catch { return null; } };
// In a clone the files are as old as the clone, and a shallow one knows nothing of the time before it.
const isTracked = Boolean(git('ls-files', '--', '.')), isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
function dateOf(path, files) {
  const named = /\d{4}-\d{2}-\d{2}/.exec(basename(path));
  if (named) return named[0];
  if (isTracked) return isShallow ? '' : git('log', '-1', '--format=%cs', '--', relative(results, path)) ?? '';
  return new Date(Math.max(...files.map((file) => statSync(file).mtimeMs))).toISOString().slice(0, 10);
}

/** One entry of the gallery. A folder of several files is named by a list beside it, so that its link stays short. */
function item(path) {
  const files = filesOf(path);
  if (files.length === 0) return null;
  let src = files.map((file) => `${FOLDER}/${address(file)}`);
  if (statSync(path).isDirectory()) {
    const list = join(out, FOLDER, `${relative(results, path)}.files.json`);
    mkdirSync(join(list, '..'), { recursive: true });
    if (existsSync(list)) fail(`${relative(results, path)}.files.json is in the way of the list of its neighbour`);
    const inFolder = (file) => [basename(path), ...relative(path, file).split(sep)].map(encodeURIComponent).join('/');
    writeFileSync(list, `${JSON.stringify(files.map(inFolder), null, 1)}\n`);
    src = [`${FOLDER}/${address(path)}.files.json`];
  }
  return { title: basename(path), date: dateOf(path, files), src };
}

rmSync(out, { recursive: true, force: true });
cpSync(from, out, { recursive: true });
cpSync(results, join(out, FOLDER), { recursive: true, filter: (path) => resolve(path) === resolve(results) || !isHidden(path) });

const own = join(results, 'results.json');
if (existsSync(own)) {
  // Its paths are those of the folder that it lies in.
  const gallery = JSON.parse(readFileSync(own, 'utf8'));
  const moved = (path) => (/^(https?:)?\/\//.test(path) ? path : `${FOLDER}/${path}`);
  const list = (src) => [src].flat().map(moved);
  const groups = Array.isArray(gallery) ? list(gallery) : { ...gallery, groups: gallery.groups.map((g) => ({ ...g, items: g.items.map((i) => ({ ...i, src: list(i.src) })) })) };
  writeFileSync(join(out, 'results.json'), `${JSON.stringify(groups, null, 2)}\n`);
  console.log(`${out}: the page and ${filesOf(results).length} files, with the gallery of ${own}`);
} else {
  // A folder that holds folders only is a group of what they hold; anything else is one entry.
  const isGroup = (path) => statSync(path).isDirectory() && entries(path).length > 0 && entries(path).every((entry) => entry.isDirectory());
  const paths = entries(results).map(({ name }) => join(results, name));
  const group = (title, all) => ({ title, items: all.map(item).filter(Boolean) });
  const groups = [group('', paths.filter((path) => !isGroup(path))), ...paths.filter(isGroup).map((path) => group(basename(path), entries(path).map(({ name }) => join(path, name))))];
  const gallery = { title: option('title', basename(resolve(results))), groups: groups.filter(({ items }) => items.length > 0) };
  writeFileSync(join(out, 'results.json'), `${JSON.stringify(gallery, null, 2)}\n`);
  console.log(`${out}: the page and ${gallery.groups.reduce((n, { items }) => n + items.length, 0)} results in ${gallery.groups.length} group(s)`);
}
