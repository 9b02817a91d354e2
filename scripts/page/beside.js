// The parts of the page where it is hosted: they lie beside it. scripts/page.mjs puts the names in. Each name holds a
// digest of the content, so that a page never gets a part of another version: it gets its own or none.
export const parts = {
  isSingle: false,
  // The page as one file, for sealed reports; empty where the host does not have it.
  file: async () => {
    const response = await fetch('./evalglass.html', { cache: 'no-cache' }).catch(() => null);
    return response?.ok ? response.text() : '';
  },
  // Another fragment is another copy of the same module.
  program: async (nStarts) => (await import(nStarts === 0 ? 'APP_SCRIPT' : `APP_SCRIPT#${nStarts}`)).default,
  wasm: compiled(fetch('APP_WASM')),
  worker: Promise.resolve('./APP_WORKER'),
  // What its worker runs; it loads them itself where nobody sends them.
  programs: { workspace: () => compiled(fetch('./APP_WORKSPACE')), reader: () => compiled(fetch('./APP_READER')) },
  // The engine of the SQL page, fetched when somebody opens that page.
  sql: './APP_SQL',
  samples: async () => (await part('./APP_SAMPLES')).json(),
};

async function part(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return response;
}

async function compiled(fetching) {
  const response = await fetching;
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  // Not every host knows what .wasm is, and the browser compiles only what is called by its name.
  const isNamed = response.headers.get('content-type') === 'application/wasm';
  return WebAssembly.compileStreaming(isNamed ? response : new Response(response.body, { headers: { 'content-type': 'application/wasm' } }));
}
