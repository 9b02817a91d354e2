// What this browser keeps of the page for the next visit, and how it forgets it: settings of the reader in localStorage
// (src/browser/storage.rs), handles of what was opened in IndexedDB, copies of fetched results in a cache (copies.js). With
// the switch off nothing is kept but the switch. docs/privacy.md says the same.
const KEPT = { setting: 'evalglass-', off: 'evalglass-memory', database: 'evalglass', recent: 'recent', copies: 'evalglass-results:', page: 'evalglass:' };
// Entries of the list; and files or folders of one drop, each of which the browser may have to ask for.
const MOST = { entries: 10, handles: 20 };

/** `globalThis[name]`; null where the browser forbids it, as for pages in a sandbox: then it throws. */
function allowedStore(name) {
  try { return globalThis[name] ?? null; } catch { return null; }
}

const settingsStore = () => allowedStore('localStorage');

/** Where caches are kept; null where there are none. */
export const cacheStore = () => (globalThis.isSecureContext ? allowedStore('caches') : null);

/** Whether anything may be kept: 'on', 'off', or 'forbidden' by the browser. */
export function memoryState() {
  const store = settingsStore();
  if (!store) return 'forbidden';
  return store.getItem(KEPT.off) === 'off' ? 'off' : 'on';
}

/** Whether the browser gives out handles that can be kept. */
export const givesHandles = () => Boolean(globalThis.isSecureContext && allowedStore('indexedDB') && globalThis.DataTransferItem && 'getAsFileSystemHandle' in DataTransferItem.prototype);

// One after another: each reads what the one before has written.
let turns = Promise.resolve();
function inTurn(act) {
  const done = turns.then(act);
  turns = done.catch(() => {});
  return done;
}

const outcome = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/** The database is open as long as `act` takes, so that it can be deleted at any other time. Reading does not create it. */
async function inDatabase(mode, act) {
  const opening = indexedDB.open(KEPT.database, 1);
  let isThere = true;
  opening.onupgradeneeded = () => {
    isThere = mode === 'readwrite';
    if (isThere) opening.result.createObjectStore(KEPT.recent); else opening.transaction.abort();
  };
  const database = await outcome(opening).catch((error) => { if (isThere) throw error; return null; });
  if (!database) return null;
  try {
    // Strict, and awaited to its end: an entry that was only about to be written is gone with the page.
    const transaction = database.transaction(KEPT.recent, mode, { durability: 'strict' });
    const complete = new Promise((done, failed) => {
      transaction.oncomplete = done;
      transaction.onabort = () => failed(transaction.error);
    });
    const [result] = await Promise.all([outcome(act(transaction.objectStore(KEPT.recent))), complete]);
    return result;
  } finally { database.close(); }
}

async function isSame(handles, others) {
  if (handles.length !== others.length) return false;
  for (const handle of handles) {
    const found = await Promise.all(others.map((other) => handle.isSameEntry(other)));
    if (!found.includes(true)) return false;
  }
  return true;
}

const readRecent = async () => await inDatabase('readonly', (store) => store.get(KEPT.recent)) ?? [];
async function writeRecent(entries) {
  if (entries.length > 0) await inDatabase('readwrite', (store) => store.put(entries, KEPT.recent));
  else await outcome(indexedDB.deleteDatabase(KEPT.database));
}

/** What was opened, newest first: `{name, kind, opened, handles}`; `opened` is a time in milliseconds. */
export async function recentEntries() {
  if (!givesHandles() || memoryState() !== 'on') return [];
  return inTurn(readRecent).catch(() => []);
}

/** Keeps what was opened by `handles`, as the newest; what the browser does not keep is not listed, and that is all. */
export function keepRecent(handles) {
  if (!givesHandles() || handles.length > MOST.handles) return;
  inTurn(async () => {
    if (memoryState() !== 'on') return;
    const [{ name, kind }] = handles;
    const entries = [{ name, kind, opened: Date.now(), handles }];
    for (const entry of await readRecent()) if (!await isSame(entry.handles, handles)) entries.push(entry);
    await writeRecent(entries.slice(0, MOST.entries));
  }).catch(() => {});
}

/** Forgets one entry, or all. */
export function forgetRecent(gone) {
  return inTurn(async () => {
    if (!gone) return writeRecent([]);
    const rest = [];
    for (const entry of await readRecent()) if (!await isSame(entry.handles, gone.handles)) rest.push(entry);
    return writeRecent(rest);
  }).catch(() => {});
}

/** Names of the settings that are kept. */
export const keptSettings = () => Object.keys(settingsStore() ?? {}).filter((key) => key.startsWith(KEPT.setting) && key !== KEPT.off).map((key) => key.slice(KEPT.setting.length)).sort();

/** Forgets every setting; those in force stay so until the page is left. */
export function forgetSettings() {
  for (const name of keptSettings()) settingsStore().removeItem(KEPT.setting + name);
}

const cacheNames = async (prefix) => (await cacheStore()?.keys().catch(() => []) ?? []).filter((name) => name.startsWith(prefix));

/** How many copies of fetched results are kept, and how many bytes they have. */
export async function keptResults() {
  let nFiles = 0, nBytes = 0;
  for (const name of await cacheNames(KEPT.copies)) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      nFiles += 1;
      nBytes += Number((await cache.match(request))?.headers.get('content-length') ?? 0);
    }
  }
  return { nFiles, nBytes };
}

/** Forgets every copy of fetched results. */
export const forgetResults = async () => { await Promise.all((await cacheNames(KEPT.copies)).map((name) => caches.delete(name))); };

/** Whether the page itself is kept for visits without a network (sw.js). */
export const keepsPage = async () => (await cacheNames(KEPT.page)).length > 0;

/** Turns the switch. Off: what is kept is forgotten at once. */
export async function setMemory(isOn) {
  if (isOn) {
    settingsStore().removeItem(KEPT.off);
    return;
  }
  settingsStore().setItem(KEPT.off, 'off');
  forgetSettings();
  await Promise.all([allowedStore('indexedDB') ? forgetRecent() : null, forgetResults()]);
}
