// Starts the page's program, and starts it anew when it has stopped. Hands it what comes with the page: sample results, the
// worker's program, and what the address asks for.
//
// A program that has panicked can do nothing any more, so what follows a panic lives here: say what happened, keep the
// files that were opened (the program leaves them in `evalglass.opened`), and start a fresh copy on a clean document.
import { parts } from './beside.js';
import { keptCopies } from './copies.js';
import { Refusal, Refused, fetcher } from './fetch.js';
import { damagedView, element, galleryView, notice, refusedView } from './hosted.js';
import { keptList } from './kept.js';
import { keepRecent } from './memory.js';
import { savePng } from './picture.js';
import { recentList } from './recent.js';
import { followForm, saveSealed, sealForm } from './seal.js';
import { beginSealed, isSealed, sealedFiles, showSealed } from './sealed.js';
import { keepOffline } from './updates.js';

const base = location.href.split(/[?#]/)[0];
const asked = new URLSearchParams(location.search).getAll('src').filter(Boolean);
const allowsOthers = 'remote' in document.documentElement.dataset;
// The program puts `reopen` into the page, which opens these handles.
const showRecent = recentList((handles) => { page.reopening = handles; page.reopen(); });
const page = { opened: [], worker: null, reason: '', workerProgram: '', samples, savePng, sealForm, saveSealed, keepRecent, showRecent, showMemory: keptList(showRecent) };
globalThis.evalglass = page;
let nStarts = 0;
// What stands in the place of the host on the start page.
let hosted = null;

async function start() {
  page.workerProgram = await parts.worker;
  const init = await parts.program(nStarts);
  nStarts += 1;
  await init({ module_or_path: await parts.wasm });
  showHosted(hosted);
  if (isSealed) showSealed();
}

function showHosted(view) {
  hosted = view;
  if (view) document.getElementById('hosted')?.replaceChildren(view);
}

/** The sample results, as the program takes files: `[[[path, file], …], []]`. */
async function samples() {
  const fileOf = ([path, content]) => {
    const isText = typeof content === 'string';
    const data = isText ? content : Uint8Array.from(atob(content.base64), (char) => char.charCodeAt(0));
    return [path, new File([data], path.split('/').at(-1))];
  };
  return [Object.entries(await parts.samples()).map(fileOf), []];
}

function fetching(onProgress, signal) {
  return fetcher({ base, allowsOthers, onProgress, signal, copies: keptCopies(new URL('.', base).pathname) });
}

/** What `?src=` names; empty when that is a gallery, which is shown. Asked for once: a restart has the files. */
async function sources(onProgress) {
  const stop = new AbortController();
  page.sources = undefined;
  page.stop = () => stop.abort();
  try {
    const { files, gallery, at, copyOf } = await fetching(onProgress, stop.signal).sources(asked);
    if (gallery) showHosted(galleryView({ gallery, at }, base));
    if (copyOf) notice(`The server does not answer. This is the copy of ${copyOf.slice(0, 16).replace('T', ' ')} UTC that this browser has kept.`);
    return [files ?? [], []];
  } catch (error) {
    showHosted(refusedView(error instanceof Refused ? error : new Refused([new Refusal('unreachable', base, String(error))]), base));
    throw error;
  } finally {
    page.stop = undefined;
  }
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
  followForm();
  if (isSealed) beginSealed();
}

async function begin() {
  // What the browser says of damage is about its own parts, and no help.
  if (isSealed) page.sources = () => sealedFiles().catch((error) => { showHosted(damagedView()); throw error; });
  else if (asked.length > 0) page.sources = sources;
  const looksAround = asked.length === 0 && !parts.isSingle;
  const gallery = looksAround ? fetching(() => {}).gallery().catch((error) => error) : null;
  try {
    await start();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) stopped({ error });
    else stuck('The page cannot start', 'A part of it is missing, or the browser does not run WebAssembly here.', String(error), 'Reload', () => location.reload());
    return;
  }
  const found = await gallery;
  if (found) showHosted(found instanceof Refused ? refusedView(found, base) : galleryView(found, base));
  if (!parts.isSingle) await keepOffline(notice);
}

listen();
await begin();
