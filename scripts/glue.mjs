// What of wasm-bindgen's output only its readers need: comments, indentation, and long names for what a program takes from its
// script. These end in sixteen random digits each, in the program and in the script: no packing makes them smaller, and of
// the app they were one hundredth.

/** Names that wasm-bindgen makes up. */
const MADE_UP = /^__wb[a-z]+_\w+_[0-9a-f]{16}$/;
/** The number of a module's section of imports. */
const IMPORTS = 2;
/** What an import is: the byte behind its name. */
const FUNCTION = 0, TABLE = 1, MEMORY = 2, GLOBAL = 3;

/** `program` (bytes) and `script` without that. Fails where the script lacks a name of the program, or has a short one already. */
export function shortened({ program, script }) {
  const module = Buffer.from(program);
  script = bare(script);
  if (module.readUInt32LE(0) !== 0x6d736100) throw new Error('no WebAssembly module');
  let at = 8;
  const number = () => {
    let [value, shift, byte] = [0, 0, 0];
    do { byte = module[at++]; value += (byte & 127) * 2 ** shift; shift += 7; } while (byte > 127);
    return value;
  };
  const text = () => { const length = number(); at += length; return module.toString('utf8', at - length, at); };
  const limits = () => { const flags = number(); number(); if (flags & 1) number(); };
  while (at < module.length) {
    const from = at, section = number(), length = number(), end = at + length;
    if (section !== IMPORTS) { at = end; continue; }
    const parts = [], names = new Map();
    const count = number();
    for (let nth = 0; nth < count; nth += 1) {
      const [place, name] = [text(), text()];
      if (MADE_UP.test(name)) names.set(name, `_${names.size.toString(36)}`);
      const kindAt = at, kind = number();
      if (kind === FUNCTION) number();
      else if (kind === TABLE) { number(); limits(); }
      else if (kind === MEMORY) limits();
      else if (kind === GLOBAL) at += 2;
      else throw new Error(`an import of kind ${kind}`);
      parts.push(named(place), named(names.get(name) ?? name), module.subarray(kindAt, at));
    }
    if (at !== end) throw new Error('the imports have another form than is known here');
    const body = Buffer.concat([varint(count), ...parts]);
    const inScript = new Set(script.match(/\b__wb[a-z]+_\w+_[0-9a-f]{16}\b/g));
    const missing = [...names.keys()].filter((name) => !inScript.has(name));
    if (missing.length) throw new Error(`names of the program that its script does not have: ${missing}`);
    const taken = [...names.values()].filter((name) => new RegExp(`\\b${name}\\b`).test(script));
    if (taken.length) throw new Error(`short names that the script has already: ${taken}`);
    return {
      program: Buffer.concat([module.subarray(0, from), varint(IMPORTS), varint(body.length), body, module.subarray(end)]),
      script: script.replace(/\b__wb[a-z]+_\w+_[0-9a-f]{16}\b/g, (name) => names.get(name) ?? name),
    };
  }
  throw new Error('a module without imports');
}

/** `script` without comments and indentation. */
const bare = (script) => script.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^ *\/\/.*\n/gm, '').replace(/^ +/gm, '');

/** `value` as LEB128. */
function varint(value) {
  const bytes = [];
  do { bytes.push((value & 127) | (value > 127 ? 128 : 0)); value >>>= 7; } while (value);
  return Buffer.from(bytes);
}

/** A text with its length before it. */
const named = (text) => Buffer.concat([varint(Buffer.byteLength(text)), Buffer.from(text)]);
