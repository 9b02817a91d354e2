// evalglass.html: the whole page in one file, for disks and mails. Programs and samples lie in it as packed text; its policy
// lets it fetch nothing at all.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { allowedBy, base85, joined, named, stage } from './stage.mjs';

// Bytes; a budget of DESIGN.md.
const LIMIT = 8e6;
const fail = (why) => { console.error(`single.mjs: ${why}`); process.exit(1); };
const read = (name) => readFileSync(join(stage, name), 'utf8');
let html = read('index.html');

/** The program as a function that gives a fresh copy of it: where it is a module beside the page, the browser does this. */
function program(name) {
  const module = read(name);
  const body = module.replace(/^export (class|function) /gm, '$1 ').replace(/^export \{[^}]*\b(\w+) as default[^}]*\};?$/m, 'return $1;');
  if (/^\s*(import|export)\b(?!\.)/m.test(body) || !/^return \w+;$/m.test(body)) fail(`${name} has another form than this script knows`);
  return `() => {\n${body}}`;
}

// Function replacements throughout, because a replacement text gives `$` a meaning.
const replace = (pattern, text) => {
  if (!pattern.test(html)) fail(`index.html has no ${pattern}`);
  html = html.replace(pattern, () => text);
};
const script = `\n${joined(['inside.js', 'boot.js'], { PROGRAM: `(${program(named(/^app-[0-9a-f]+\.js$/))})` })}`;
const font = named(/^inter-[0-9a-f]+\.woff2$/);
const css = `\n${read(named(/^style-[0-9a-f]+\.css$/)).replace(`./${font}`, `data:font/woff2;base64,${readFileSync(join(stage, font)).toString('base64')}`)}`;
if (/<\/style/i.test(css)) fail('the style sheet would end inside');
const pack = (id, name) => `<script type="application/gzip" id="${id}">${base85(gzipSync(readFileSync(join(stage, name)), { level: 9 }))}</script>\n`;
const packed = [
  ['part-app', /^app-[0-9a-f]+_bg\.wasm$/], ['part-workspace-script', /^workspace-[0-9a-f]+\.js$/],
  ['part-workspace', /^workspace-[0-9a-f]+_bg\.wasm$/], ['part-reader', /^reader-[0-9a-f]+_bg\.wasm$/], ['part-samples', /^samples-[0-9a-f]+\.json$/],
].map(([id, pattern]) => pack(id, named(pattern))).join('');

replace(/<script type="module">[\s\S]*?<\/script>/, `${packed}<script type="module">${script}</script>`);
replace(/<link rel="stylesheet"[^>]*>/, `<style>${css}</style>`);
replace(/<link rel="manifest"[^>]*>\s*/, '');
html = html.replace(/<link rel="(modulepreload|preload|apple-touch-icon)"[^>]*>\s*/g, '');
const policy = `default-src 'none'; script-src 'wasm-unsafe-eval' ${allowedBy(script)}; style-src ${allowedBy(css)}; img-src data: blob:; font-src data:; connect-src 'none'; worker-src blob:; form-action 'none'; base-uri 'none'; object-src 'none'`;
replace(/(?<=http-equiv="Content-Security-Policy" content=")[^"]*/, policy);
if (/<(link|script|img)\b[^>]*\b(href|src)="(?!data:)/.test(html)) fail('something is still loaded from beside the page');
if (Buffer.byteLength(html) > LIMIT) fail(`${Buffer.byteLength(html)} bytes; ${LIMIT} are allowed`);
writeFileSync(join(stage, 'evalglass.html'), html);
