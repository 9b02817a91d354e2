// The parts of the page where it is one file: they lie inside it, packed and as text, in script elements that are no
// scripts (scripts/single.mjs). `PROGRAM` is the program itself, as a function that gives a fresh copy of it.
const bytes = (text) => {
  const chars = atob(text);
  const data = new Uint8Array(chars.length);
  for (let at = 0; at < chars.length; at += 1) data[at] = chars.charCodeAt(at);
  return data;
};
const packed = (id) => document.getElementById(id)?.textContent ?? '';
const unpacked = (text) => new Response(new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream('gzip')));

// Runs in the worker, which gets its programs as text: a page from disk can fetch nothing, not even for its worker.
const compiledFrom = async (text) => {
  const data = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
};

// What the program has not put there.
const bare = document.body.innerHTML.trimEnd();

export const parts = {
  isSingle: true,
  unpackedBlob: (text) => unpacked(text).blob(),
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
  wasm: unpacked(packed('part-app')).arrayBuffer().then((wasm) => WebAssembly.compile(wasm)),
  worker: unpacked(packed('part-workspace-script')).text().then((script) => {
    const compiled = (id) => (packed(id) ? `() => (${compiledFrom})("${packed(id)}")` : 'null');
    const programs = `globalThis.compiled = { workspace: ${compiled('part-workspace')}, reader: ${compiled('part-reader')} };\n`;
    return URL.createObjectURL(new Blob([programs, script], { type: 'text/javascript' }));
  }),
  samples: () => unpacked(packed('part-samples')).json(),
};
