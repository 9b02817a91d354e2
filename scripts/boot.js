// Starts the page's program, and starts it anew when it has stopped. scripts/page.mjs puts the names of the files in.
//
// A program that has panicked can do nothing any more, so what follows a panic lives here: say what happened, keep the
// files that were opened (the program leaves them in `evalglass.opened`), and start a fresh copy on a clean document.
const program = 'APP_SCRIPT';
const compiled = WebAssembly.compileStreaming(fetch('APP_WASM'));
const page = { opened: [], worker: null, reason: '' };
globalThis.evalglass = page;
let nStarts = 0;

async function start() {
  // Another fragment is another copy of the same module.
  const { default: init } = await import(nStarts === 0 ? program : `${program}#${nStarts}`);
  nStarts += 1;
  await init({ module_or_path: await compiled });
}

function restart() {
  page.worker?.terminate();
  page.worker = null;
  page.reason = '';
  // Opening the document takes every listener of the old program off window and document.
  const root = document.documentElement;
  document.open();
  document.close();
  document.documentElement?.remove();
  document.append(root);
  document.body.replaceChildren();
  listen();
  start();
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function stopped(event) {
  const error = event.error ?? event.reason;
  if (!(error instanceof WebAssembly.RuntimeError) || document.getElementById('stopped')) return;
  document.documentElement.dataset.evalglass = 'stopped';
  const dialog = element('dialog', 'keys', '');
  dialog.id = 'stopped';
  dialog.setAttribute('aria-labelledby', 'stopped-title');
  const title = element('h2', 'keys__title', 'The page has stopped');
  title.id = 'stopped-title';
  const n = page.opened.length;
  const files = n === 0 ? 'Nothing was open.' : `What was open (${n === 1 ? '1 drop' : `${n} drops`}) is opened again; the view and the rules in the address stay.`;
  const button = element('button', 'button button--main', 'Restart');
  button.type = 'button';
  button.addEventListener('click', restart);
  dialog.append(title, element('p', 'field__hint', files), element('pre', 'stopped__reason', page.reason || String(error)), button);
  document.body.append(dialog);
  dialog.showModal();
}

// A picture of an SVG document, twice its size, as a download. The program hands the document over.
page.savePng = async (svg, name) => {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  const blob = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  const anchor = document.createElement('a');
  [anchor.href, anchor.download] = [URL.createObjectURL(blob), name];
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
};

function listen() {
  addEventListener('error', stopped);
  addEventListener('unhandledrejection', stopped);
}

listen();
await start();
