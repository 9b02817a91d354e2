// Starts the page's program, and starts it anew when it has stopped.
//
// A program that has panicked can do nothing any more, so what follows a panic lives here: say what happened, keep the
// files that were opened (the program leaves them in `evalglass.opened`), and start a fresh copy on a clean document.
import { parts } from './beside.js';

// What the program finds here, and what it leaves for the one after it (src/browser/restart.rs).
const page = { parts, opened: [], dropped: [], worker: null, early: null, reason: '', workerProgram: '' };
globalThis.evalglass = page;
let nStarts = 0;

async function start() {
  page.workerProgram = await parts.worker;
  // Results to be fetched need every program at once; else the page comes first, and readers last.
  const isAsked = /[?&]src=/.test(location.search);
  const app = parts.wasm;
  if (isAsked) startEarly(app);
  const init = await parts.program(nStarts);
  nStarts += 1;
  const module = await app;
  if (!page.early) startEarly();
  await init({ module_or_path: module });
}

// Starts the workspace's worker, so that it is fetched while the program starts. The program takes it over with its messages, or
// ends it where it needs one of another name (src/worker/client/posting.rs). Where the address or a setting says how many readers
// there are to be, the program starts it itself. A worker takes its time to start, so the page loads both of its programs meanwhile: the
// reader's once `before` has been loaded, or, without `before`, once the workspace's has.
function startEarly(before) {
  if (/[?&](?:readers|trial)=/.test(location.search) || remembered('evalglass-readers')) return;
  const nReaders = Math.min(Math.max(navigator.hardwareConcurrency || 1, 2), 8);
  const early = { name: `workspace?readers=${nReaders}`, messages: [] };
  const address = parts.programs ? `${page.workerProgram}#sent` : page.workerProgram;
  try { early.worker = new Worker(address, { name: early.name }); } catch { return; }
  if (parts.programs) {
    const workspace = send(early.worker, 'workspace');
    (before ?? workspace).catch(() => {}).then(() => { send(early.worker, 'reader'); });
  }
  early.worker.onmessage = ({ data }) => early.messages.push(data);
  // It fails for the program as well, which says so.
  early.worker.onerror = () => { page.early = null; };
  page.early = early;
}

/** Loads a program of `worker` and sends its module; where that fails, why. */
function send(worker, program) {
  const loading = parts.programs[program]();
  loading.then((module) => worker.postMessage({ program, module }), (error) => worker.postMessage({ program, reason: error.message }));
  return loading;
}

function remembered(key) {
  // A browser may forbid it, or keep nothing.
  try { return localStorage.getItem(key); } catch { return null; }
}

// Keeps what is dropped before the program runs, which takes it over: after the event nobody can ask for it any more, and a
// browser that is not told otherwise leaves the page for the file.
function hold(event) {
  const { items, types } = event.dataTransfer ?? {};
  if (!page.dropped || !types?.includes('Files')) return;
  event.preventDefault();
  if (event.type !== 'drop') return;
  const files = [...items].filter((item) => item.kind === 'file');
  page.dropped.push(...files.map((item) => ({ handle: item.getAsFileSystemHandle?.(), entry: item.webkitGetAsEntry(), file: item.getAsFile() })));
}

function restart() {
  page.worker?.terminate();
  page.early?.worker.terminate();
  page.worker = page.early = null;
  page.reason = '';
  page.dropped = [];
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

/** An element with attributes and children; text is text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A dialog that cannot be closed but by its button. */
function stuck(heading, hint, reason, name, act) {
  if (document.getElementById('stopped')) return;
  document.documentElement.dataset.evalglass = 'stopped';
  const button = element('button', { type: 'button', class: 'button button--main' }, name);
  button.addEventListener('click', act);
  const dialog = element('dialog', { id: 'stopped', class: 'keys', 'aria-labelledby': 'stopped-title' },
    element('h2', { id: 'stopped-title', class: 'keys__title' }, heading), element('p', { class: 'field__hint' }, hint),
    element('pre', { class: 'stopped__reason' }, reason), button);
  document.body.append(dialog);
  dialog.showModal();
}

function stopped(event) {
  const error = event.error ?? event.reason;
  if (!(error instanceof WebAssembly.RuntimeError)) return;
  const n = page.opened.length;
  const files = n === 0 ? 'Nothing was open.' : `What was open (${n === 1 ? '1 drop' : `${n} drops`}) is opened again; the view and the rules in the address stay.`;
  stuck('The page has stopped', files, page.reason || String(error), 'Restart', restart);
}

function listen() {
  addEventListener('error', stopped);
  addEventListener('unhandledrejection', stopped);
  for (const name of ['dragover', 'drop']) addEventListener(name, hold);
}

listen();
try {
  await start();
} catch (error) {
  if (error instanceof WebAssembly.RuntimeError) stopped({ error });
  else stuck('The page cannot start', 'A part of it is missing, or the browser does not run WebAssembly here.', String(error), 'Reload', () => location.reload());
}
