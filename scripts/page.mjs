// Trunk's post_build hook, the last touch on the page:
// - joins the style sheets, one for each component in the source, to one;
// - names every inline script, by digest, in the page's content security policy, and fails the build when the page holds
//   something that the policy would not let run;
// - puts scripts/boot.js in the place of Trunk's start script;
// - writes the worker's loader, so that a browser never joins a new worker program with an old one from its cache.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dir = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
if (!dir) throw new Error('page.mjs: TRUNK_STAGING_DIR is not set and no folder was given');
const file = join(dir, 'index.html');
let html = readFileSync(file, 'utf8');

const fail = (why) => { console.error(`page.mjs: ${file}: ${why}`); process.exit(1); };
const meta = /<meta\b[^>]*http-equiv=["']?Content-Security-Policy\b[^>]*>/i.exec(html);
if (!meta) fail('no Content-Security-Policy meta tag');
if (html.search(/<(script|link|style)\b/i) < meta.index) fail('the policy must stand before the first script, link or style');
if (/<style\b/i.test(html)) fail('inline <style> is not allowed by the policy');
if (/<[a-z][^>]*\son[a-z]+\s*=/i.test(html)) fail('inline event handler attributes are not allowed by the policy');
if (/<[a-z][^>]*\sstyle\s*=/i.test(html)) fail('inline style attributes are not allowed by the policy');
if (/<(script|link|img|iframe)\b[^>]*\b(src|href)=["']?(https?:)?\/\//i.test(html)) fail('a resource is loaded from another host');

const sheets = [...html.matchAll(/\s*<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"]+)"[^>]*>/g)];
if (sheets.length === 0) fail('no style sheet');
const css = sheets.map(([, href]) => readFileSync(join(dir, href), 'utf8')).join('');
const sheet = `style-${createHash('sha256').update(css).digest('hex').slice(0, 16)}.css`;
for (const [, href] of sheets) rmSync(join(dir, href));
writeFileSync(join(dir, sheet), css);
// A function, because a replacement text gives `$` a meaning.
html = html.replace(sheets[0][0], () => `\n  <link rel="stylesheet" href="./${sheet}">`);
for (const [link] of sheets.slice(1)) html = html.replace(link, '');
html = html.replace(/\s*<!--[^>]*cascade[^>]*-->/, '');

// Trunk starts the program once and for all; the page wants to be able to start it again.
const starter = /<script type="module">\s*import init[^;]*from '([^']+)';\s*const wasm = await init\(\{ module_or_path: '([^']+)' \}\);[\s\S]*?<\/script>/.exec(html);
if (!starter) fail("Trunk's start script has another form than this hook knows");
const boot = readFileSync(new URL('boot.js', import.meta.url), 'utf8').replace(/^\/\/.*\n/gm, '')
  .replace('APP_SCRIPT', starter[1]).replace('APP_WASM', starter[2]);
html = html.replace(starter[0], () => `<script type="module">\n${boot}</script>`);

const hashes = [];
for (const [, attrs, body] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
  if (/\bsrc\s*=/i.test(attrs) || body.trim() === '') continue;
  hashes.push(`'sha256-${createHash('sha256').update(body).digest('base64')}'`);
}
if (!meta[0].includes('CSP-HASHES')) fail('the policy does not hold the mark CSP-HASHES');
html = html.replace(meta[0], meta[0].replace('CSP-HASHES', hashes.join(' ')));
// The comment that explains the mark is for readers of the source.
html = html.replace(/\s*<!--[^>]*CSP-HASHES[^>]*-->/, '');
writeFileSync(file, html);

// Trunk's own loader uses a form that wasm-bindgen warns about, and addresses that never change.
const loader = join(dir, 'worker_loader.js');
if (!existsSync(loader)) fail('worker_loader.js is missing: the worker needs data-loader-shim');
const version = (name) => createHash('sha256').update(readFileSync(join(dir, name))).digest('hex').slice(0, 16);
writeFileSync(loader, `importScripts("./worker.js?v=${version('worker.js')}");
wasm_bindgen({ module_or_path: "./worker_bg.wasm?v=${version('worker_bg.wasm')}" })
  // Thrown outside the promise, where the page hears of it.
  .catch((error) => setTimeout(() => { throw error; }));
`);
