// Service worker: keeps one version of the page whole, and serves it whole. scripts/offline.mjs puts in the files of the
// version with their digests, so that this file differs for every version.
//
// No page is ever made of two versions. A version is kept only when every byte of it has come as its digest says. The page
// itself comes from the kept version together with everything else. Its parts have digests in their names; a window that
// is still open with an older version gets the older parts, which are kept as long as it is open.
const FILES = new Map(Object.entries(VERSION_FILES));
// Files of the version that are kept once somebody has asked for them.
const LATER = new Map(Object.entries(VERSION_LATER));
const PAGES = ['index.html', 'remote.html'];
const scope = new URL(self.registration.scope);
const PREFIX = `evalglass:${scope.pathname}:`;
const CACHE = PREFIX + 'VERSION_NAME';

const digest = async (bytes) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function keep(cache, path, wanted) {
  const url = new URL(path, scope);
  if (await cache.match(url)) return;
  // What the browser has already will do, when it is the right thing.
  for (const mode of ['default', 'reload']) {
    const response = await fetch(url, { cache: mode });
    const bytes = await response.arrayBuffer();
    if (response.ok && await digest(bytes) === wanted) {
      const headers = new Headers(response.headers);
      // The bytes are those of the file now, and not every host knows what .wasm is.
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
      if (path.endsWith('.wasm')) headers.set('content-type', 'application/wasm');
      await cache.put(url, new Response(bytes, { headers }));
      return;
    }
  }
  throw new Error(`${url} is not of this version`);
}

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all([...FILES].map(([path, wanted]) => keep(cache, path, wanted)));
}

/** Forgets other versions, unless more than `nWindows` windows are open, which may be of one of them. */
async function tidy(nWindows) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.length > nWindows) return;
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function answer(request, path) {
  const cache = await caches.open(CACHE);
  if (LATER.has(path)) await keep(cache, path, LATER.get(path)).catch(() => {});
  const own = (FILES.has(path) || LATER.has(path)) && await cache.match(new URL(path, scope));
  if (own) return own;
  for (const name of PAGES.includes(path) ? [] : await caches.keys()) {
    const older = name.startsWith(PREFIX) && await (await caches.open(name)).match(new URL(path, scope));
    if (older) return older;
  }
  return fetch(request);
}

addEventListener('install', (event) => event.waitUntil(install()));
// The window that has asked for this version loads anew by itself.
addEventListener('activate', (event) => event.waitUntil(tidy(1)));
addEventListener('message', ({ data }) => { if (data === 'take over') self.skipWaiting(); });
addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const path = url.pathname.slice(scope.pathname.length) || 'index.html';
  const isPart = FILES.has(path) || /^[\w-]+-[0-9a-f]{8,16}(_bg)?\.\w+$/.test(path);
  if (!isPart || (request.mode === 'navigate' && !PAGES.includes(path))) return;
  event.respondWith(answer(request, path));
  if (request.mode === 'navigate') event.waitUntil(tidy(0));
});
