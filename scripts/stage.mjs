// What the steps that finish a build share: the folder that they work in, digests for names, scripts put together.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

/** The folder: what Trunk is about to publish, or the first argument. */
export const stage = process.env.TRUNK_STAGING_DIR || process.argv[2];
if (!stage) throw new Error('TRUNK_STAGING_DIR is not set and no folder was given');

/** The part of a name that changes with the content. */
export const digest = (content) => createHash('sha256').update(content).digest('hex').slice(0, 16);

/** A source of the page's content security policy that lets exactly `content` through. */
export const allowedBy = (content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** The one file in the folder whose name fits. */
export function named(pattern) {
  const found = readdirSync(stage).filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`${stage}: one file ${pattern} is wanted, there are ${found.length}`);
  return found[0];
}

/** Modules of scripts/page/ as one script, without comments; `texts` stand in the place of their names. */
export function joined(modules, texts) {
  let script = modules.map((name) => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')).join('')
    .replace(/^import .*\n/gm, '').replace(/^export /gm, '').replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^\s*\/\/.*\n/gm, '').replace(/\n\n+/g, '\n');
  for (const [name, text] of Object.entries(texts)) {
    if (!script.includes(name)) throw new Error(`${name} is not in ${modules.join(', ')}`);
    // A function, because a replacement text gives `$` a meaning.
    script = script.replaceAll(name, () => text);
  }
  if (/<\/script|<!--/i.test(script)) throw new Error(`${modules.join(', ')}: the script would end inside`);
  return script;
}

/** The script of the workspace's worker: both programs, which wasm-bindgen wrote for workers, as `{script, compiled}` with the text of a function that gives the module, unless the page's one file has put others there. */
export function workerScript(workspace, reader) {
  for (const { script } of [workspace, reader]) {
    if (!/^let wasm_bindgen\b/m.test(script)) throw new Error('a program for workers has another form than this script knows');
  }
  const [own, other] = [workspace, reader].map(({ script }) => `() => {\n${script}\nreturn wasm_bindgen;\n}`);
  const compiled = (name, text) => `globalThis.compiled ? globalThis.compiled.${name} : (${text})`;
  return `${joined(['worker.js'], {})}startWorkspace(${own}, ${compiled('workspace', workspace.compiled)}, ${other}, ${compiled('reader', reader.compiled)});\n`;
}

/** The script of a worker with one program, given as above. */
export function aloneScript({ script, compiled }) {
  if (!/^let wasm_bindgen\b/m.test(script)) throw new Error('a program for workers has another form than this script knows');
  return `${joined(['worker.js'], {})}startAlone(() => {\n${script}\nreturn wasm_bindgen;\n}, ${compiled});\n`;
}

/** `data` as text of 85 characters, five for four bytes: what inside.js reads. */
export function base85(data) {
  const letters = Array.from({ length: 94 }, (_, nth) => String.fromCharCode(33 + nth)).filter((letter) => !'"&\'<>\\`'.includes(letter)).slice(0, 85);
  const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
  const words = [];
  for (let at = 0; at < padded.length; at += 4) {
    let [word, text] = [padded.readUInt32BE(at), ''];
    for (let nth = 0; nth < 5; nth += 1) { text = letters[word % 85] + text; word = Math.floor(word / 85); }
    words.push(text);
  }
  const text = words.join('');
  return text.slice(0, text.length - (padded.length - data.length));
}
