// The page itself:
// - joins the style sheets, one for each component in the source, to one;
// - gives the programs short names for what they take from their scripts, and files names that hold their digests, so that no
//   browser joins a new program with an old one;
// - puts the scripts of scripts/page/ in the place of Trunk's start script;
// - names every inline script, by digest, in the page's content security policy, and fails the build when the page holds
//   something that the policy would not let run;
// - writes remote.html, the same page under a policy that lets it fetch from other hosts.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shortened } from './glue.mjs';
import { allowedBy, aloneScript, digest, joined, named, stage, workerScript } from './stage.mjs';

const file = join(stage, 'index.html');
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
const font = readFileSync(new URL('../assets/inter-latin.woff2', import.meta.url));
const fontName = `inter-${digest(font)}.woff2`;
writeFileSync(join(stage, fontName), font);
const css = sheets.map(([, href]) => readFileSync(join(stage, href), 'utf8')).join('').replace('./inter-latin.woff2', `./${fontName}`);
if (!css.includes(fontName)) fail('no style sheet names the typeface');
const sheet = `style-${digest(css)}.css`;
for (const [, href] of sheets) rmSync(join(stage, href));
writeFileSync(join(stage, sheet), css);
// A function, because a replacement text gives `$` a meaning.
html = html.replace(sheets[0][0], () => `\n  <link rel="stylesheet" href="./${sheet}">`);
for (const [link] of sheets.slice(1)) html = html.replace(link, '');
html = html.replace(/\s*<!--[^>]*cascade[^>]*-->/, '');

// Trunk's own loaders use a form that wasm-bindgen warns about, and addresses that never change; and readers start from the text
// of their script (scripts/page/worker.js), so both scripts are put into functions of one file.
const compiledOf = (name) => `async () => {
  const response = await fetch('./${name}');
  if (!response.ok) throw new Error(\`\${response.status} \${response.url}\`);
  // Not every host knows what .wasm is, and the browser compiles only what is called by its name.
  const isNamed = response.headers.get('content-type') === 'application/wasm';
  return WebAssembly.compileStreaming(isNamed ? response : new Response(response.body, { headers: { 'content-type': 'application/wasm' } }));
}`;
/** A program and its script without what only readers of them need; the program stands in the folder under the name `name`. */
const taken = (what, folder) => {
  const [wasm, glue] = [join(folder, `${what}_bg.wasm`), join(folder, `${what}.js`)];
  const both = { program: readFileSync(wasm), script: readFileSync(glue, 'utf8') };
  const { program, script } = process.env.EVALGLASS_LONG_NAMES ? both : shortened(both);
  if (folder === stage) { rmSync(wasm); rmSync(glue); }
  const name = `${what.replace(/-.*/, '')}-${digest(program)}_bg.wasm`;
  writeFileSync(join(stage, name), program);
  return { name, script, compiled: compiledOf(name) };
};
const [workspace, reader] = ['workspace', 'reader'].map((program) => {
  if (!existsSync(join(stage, `${program}_loader.js`))) fail(`${program}_loader.js is missing: the ${program} needs data-loader-shim`);
  rmSync(join(stage, `${program}_loader.js`));
  return taken(program, stage);
});
const worker = workerScript(workspace, reader);
const workerName = `workspace-${digest(worker)}.js`;
writeFileSync(join(stage, workerName), worker);

// The engine of the SQL page, which scripts/sql_page.sh has built.
const sqlFolder = process.env.EVALGLASS_SQL_PAGE;
if (!sqlFolder) fail('EVALGLASS_SQL_PAGE names no folder with the engine of the SQL page: build by scripts/dist.sh');
const sql = aloneScript(taken('sql', sqlFolder));
const sqlName = `sql-${digest(sql)}.js`;
writeFileSync(join(stage, sqlName), sql);

const starter = /<script type="module">\s*import init[^;]*from '([^']+)';\s*const wasm = await init\(\{ module_or_path: '([^']+)' \}\);[\s\S]*?<\/script>/.exec(html);
if (!starter) fail("Trunk's start script has another form than this hook knows");
const app = taken(starter[1].slice(2, -3), stage);
const appScript = `app-${digest(app.script)}.js`;
writeFileSync(join(stage, appScript), app.script);
const script = joined(['beside.js', 'boot.js'], {
  APP_SCRIPT: `./${appScript}`, APP_WASM: `./${app.name}`, APP_WORKER: workerName, APP_WORKSPACE: workspace.name, APP_READER: reader.name, APP_SQL: sqlName, APP_SAMPLES: named(/^samples-[0-9a-f]{16}\.json$/),
});
html = html.replace(starter[0], () => `<script type="module">\n${script}</script>`).replaceAll(starter[1], `./${appScript}`).replaceAll(starter[2], `./${app.name}`);

const hashes = [];
for (const [, attrs, body] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
  if (/\bsrc\s*=/i.test(attrs) || body.trim() === '') continue;
  hashes.push(allowedBy(body));
}
if (!meta[0].includes('CSP-HASHES')) fail('the policy does not hold the mark CSP-HASHES');
const policy = meta[0].replace('CSP-HASHES', hashes.join(' '));
// The comment that explains the mark is for readers of the source.
html = html.replace(meta[0], policy).replace(/\s*<!--[^>]*CSP-HASHES[^>]*-->/, '');
writeFileSync(file, html);

const loose = policy.replace("connect-src 'self'", "connect-src 'self' https: http:");
const remote = html.replace(policy, loose).replace('<html lang="en">', '<html lang="en" data-remote>');
if (loose === policy || !remote.includes('data-remote')) fail('the page has no connect-src or no <html lang="en"> to make remote.html of');
writeFileSync(join(stage, 'remote.html'), remote);
