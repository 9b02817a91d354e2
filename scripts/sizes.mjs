// Weighs the built page against the budgets of DESIGN.md, and makes sure that each program links what it is for and no more, and
// that nothing of the machine that built it is inside.
// The app is over its budget (BENCHMARKS.md says why): it is named as that, and fails where it grows beyond `grown`.
// usage: node scripts/sizes.mjs [dist]
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { shortened } from './glue.mjs';

const dir = process.argv[2] ?? 'dist';
const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((f) => f.isFile()).map((f) => join(f.parentPath ?? f.path, f.name));
const bytes = new Map(files.map((f) => [f, readFileSync(f)]));
const named = (pattern) => files.filter((f) => pattern.test(f.slice(dir.length + 1)));
const KB = 1000, MB = 1000 * KB;
const budgets = [
  { what: 'app (wasm + js), first paint to interactive', files: named(/^app-[0-9a-f]+(_bg\.wasm|\.js)$/), expect: 2, limit: 450 * KB, grown: 807 * KB },
  { what: 'workspace wasm, loaded in the background', files: named(/^workspace-[0-9a-f]+_bg\.wasm$/), expect: 1, limit: 2 * MB },
  { what: 'reader wasm, loaded in the background', files: named(/^reader-[0-9a-f]+_bg\.wasm$/), expect: 1, limit: 2.5 * MB },
  { what: 'SQL engine, loaded when its page is opened', files: named(/^sql-[0-9a-f]+_bg\.wasm$/), expect: 1, limit: 8.5 * MB },
];

// An engine that was built quickly is not what is published (scripts/sql_page.sh), and larger: it is not weighed.
const quick = `${process.env.EVALGLASS_SQL_PAGE}-quick`;
const quickly = existsSync(quick) && shortened({ program: readFileSync(join(quick, 'sql_bg.wasm')), script: readFileSync(join(quick, 'sql.js'), 'utf8') }).program;
const isQuick = (f) => quickly && quickly.equals(bytes.get(f));

let failed = 0;
const fail = (why) => { failed += 1; console.error(`FAILED: ${why}`); };
const kb = (n) => `${(n / KB).toFixed(1)} KB`;
for (const { what, files: parts, expect, limit, grown = limit } of budgets) {
  if (parts.length !== expect) { fail(`${what}: expected ${expect} file(s) in ${dir}, found ${parts.length}`); continue; }
  if (parts.some(isQuick)) { console.log(`not weighed: ${what}: built quickly, for tests; \`make dist\` builds the small one`); continue; }
  const size = parts.reduce((sum, f) => sum + gzipSync(bytes.get(f), { level: 9 }).length, 0);
  const raw = parts.reduce((sum, f) => sum + bytes.get(f).length, 0);
  const line = `${what}: ${kb(size)} gzip of ${kb(limit)} allowed (${kb(raw)} raw)`;
  if (size > grown) fail(`${line}: ${kb(size - limit)} too much, and more than the ${kb(grown)} that it had grown to`);
  else if (size > limit) console.log(`OVER THE BUDGET: ${line}: ${kb(size - limit)} too much`);
  else console.log(`ok: ${line}`);
}

// Words that only a part of the code holds: where they stand in a program, that part is linked.
const parts = {
  'the reader of letta-evals': 'type summary with metrics',
  'the reader of REBEL': 'metadata and test_cases',
  'the reader of slop-code': 'group_outcomes, pass_counts and total_counts',
  'the reader of our own reports': 'the schema it names',
  'the decoding of Parquet': 'its bytes made the library give up',
  'the unwrapping of archives': 'the checksum in the zip does not match',
  'exports': 'that XML 1.0 does not allow became',
};
const linked = {
  app: [],
  workspace: ['the reader of our own reports', 'exports'],
  reader: Object.keys(parts).filter((part) => part !== 'exports'),
};
for (const [program, wanted] of Object.entries(linked)) {
  const [wasm] = named(new RegExp(`^${program}-[0-9a-f]+_bg\\.wasm$`));
  const found = wasm ? Object.keys(parts).filter((part) => bytes.get(wasm).includes(parts[part])) : [];
  const more = found.filter((part) => !wanted.includes(part)), less = wanted.filter((part) => !found.includes(part));
  if (more.length || less.length) fail(`${program} links ${more.join(', ') || 'nothing'} that it must not, and lacks ${less.join(', ') || 'nothing'}`);
  else console.log(`ok: ${program} links ${found.join(', ') || 'none of these'}`);
}

const places = [...new Set([`${homedir()}/`, `${process.cwd()}/`, process.env.CARGO_HOME && `${process.env.CARGO_HOME}/`].filter((p) => p && p.length > 2))];
const leaks = [];
for (const [file, content] of bytes) for (const place of places) if (content.includes(place)) leaks.push(`${file} holds ${place}`);
if (leaks.length) fail(`folders of the build machine are in the page: ${leaks.join('; ')}`);
else console.log('ok: no folder of the build machine is in the page');
process.exit(failed ? 1 : 0);
