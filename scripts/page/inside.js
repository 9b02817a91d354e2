// The parts of the page where it is one file: they lie inside it, packed and as text, in script elements that are no
// scripts (scripts/single.mjs). `PROGRAM` is the program itself, as a function that gives a fresh copy of it.
const bytes = (text) => {
  const chars = atob(text);
  const data = new Uint8Array(chars.length);
  for (let at = 0; at < chars.length; at += 1) data[at] = chars.charCodeAt(at);
  return data;
};
const packed = (id) => document.getElementById(id)?.textContent ?? '';
const expanded = (data) => new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip')));
const unpacked = (id) => expanded(ofBase85(packed(id)));

// Five characters for four bytes: a sixteenth less than base64, which the limit of the file's size asks for. The alphabet is
// that of scripts/stage.mjs; nothing in it means anything in HTML or in a string. At the end as many bytes as there are
// characters, less one.
function ofBase85(text) {
  const digits = new Uint8Array(128);
  let n = 0;
  for (let code = 33; code < 127; code += 1) if (!'"&\'<>\\`'.includes(String.fromCharCode(code))) { digits[code] = n; n += 1; }
  const size = Math.floor(text.length / 5) * 4 + Math.max((text.length % 5) - 1, 0);
  const data = new Uint8Array(size + 3);
  const view = new DataView(data.buffer);
  for (let at = 0, to = 0; to < size; at += 5, to += 4) {
    let word = 0;
    // What is missing at the end counts as the last digit, so that the bytes before it are right.
    for (let nth = at; nth < at + 5; nth += 1) word = word * 85 + (nth < text.length ? digits[text.charCodeAt(nth)] : 84);
    view.setUint32(to, word);
  }
  return data.subarray(0, size);
}

// Runs in the worker, which gets its programs as text: a page from disk can fetch nothing, not even for its worker.
const compiledFrom = async (data) => {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
};

// What the program has not put there.
const bare = document.body.innerHTML.trimEnd();

export const parts = {
  isSingle: true,
  unpackedBlob: (text) => expanded(bytes(text)).blob(),
  // This page as it was saved: its head, of which the program changes the title alone. Results in it are not part of it.
  file: async () => {
    const head = document.head.cloneNode(true);
    const sealed = head.querySelector('#sealed');
    // The line feed behind it came with it.
    sealed?.nextSibling?.remove();
    sealed?.remove();
    head.querySelector('title').textContent = 'Evalglass';
    return `<!doctype html>\n<html lang="en">\n${head.outerHTML}\n<body>${bare}\n</body>\n</html>\n`;
  },
  program: async () => PROGRAM(),
  wasm: unpacked('part-app').arrayBuffer().then((wasm) => WebAssembly.compile(wasm)),
  worker: unpacked('part-workspace-script').text().then((script) => {
    const compiled = (id) => (packed(id) ? `() => (${compiledFrom})((${ofBase85})("${packed(id)}"))` : 'null');
    const programs = `globalThis.compiled = { workspace: ${compiled('part-workspace')}, reader: ${compiled('part-reader')} };\n`;
    return URL.createObjectURL(new Blob([programs, script], { type: 'text/javascript' }));
  }),
  // One file comes without it.
  sql: null,
  samples: () => unpacked('part-samples').json(),
};
