// Makes the page installable and a second visit possible without a network: manifest, icons, and the service worker with
// the digest of every file of this version.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest, joined, stage } from './stage.mjs';

// The typeface is there already, by a name that holds its digest (page.mjs).
cpSync(new URL('../assets/', import.meta.url), stage, { recursive: true, filter: (from) => !from.endsWith('.woff2') });

// The gallery belongs to the host, and the single file is for elsewhere.
const LEFT_OUT = ['results.json', 'evalglass.html', 'sw.js', 'inter-latin.OFL.txt'];
const files = readdirSync(stage, { withFileTypes: true }).filter((entry) => entry.isFile() && !LEFT_OUT.includes(entry.name)).map(({ name }) => name).sort();
const digests = files.map((name) => [name, createHash('sha256').update(readFileSync(join(stage, name))).digest('hex')]);
// The engine of the SQL page is large: it is kept once somebody has opened that page.
const isLater = ([name]) => name.startsWith('sql-');
const [list, later] = [digests.filter((one) => !isLater(one)), digests.filter(isLater)].map((some) => JSON.stringify(Object.fromEntries(some)));
// The service worker is part of the version: when it changes, so does the version.
const own = digest(readFileSync(new URL('page/sw.js', import.meta.url)));
writeFileSync(join(stage, 'sw.js'), joined(['sw.js'], { VERSION_FILES: list, VERSION_LATER: later, VERSION_NAME: digest(list + later + own) }));
