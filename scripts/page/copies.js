// Copies of fetched results, kept by the browser so that a link opens when its server does not answer. They are used for
// nothing else: whatever the server says is newer.
import { cacheStore, memoryState } from './memory.js';

const COPIES = { maxFile: 32_000_000, maxTotal: 256_000_000 };

/** The copies of this page; null where the browser keeps none (pages from disk, hosts without https) or may keep none. */
export function keptCopies(scope) {
  if (!cacheStore() || memoryState() !== 'on') return null;
  const name = `evalglass-results:${scope}`;
  const opened = caches.open(name).catch(() => null);
  let puts = Promise.resolve();

  // The cache lists what it holds in the order in which it was put.
  async function put(address, content) {
    const cache = await opened;
    // The switch may have been turned meanwhile.
    if (!cache || content.size > COPIES.maxFile || memoryState() !== 'on') return;
    await cache.put(address, new Response(content, { headers: { 'content-length': content.size, date: new Date().toUTCString() } }));
    const held = await Promise.all((await cache.keys()).map(async (request) => (
      { request, size: Number((await cache.match(request)).headers.get('content-length')) })));
    let total = held.reduce((sum, one) => sum + one.size, 0);
    for (const { request, size } of held) {
      if (total <= COPIES.maxTotal) break;
      total -= size;
      await cache.delete(request);
    }
  }

  return {
    /** Keeps `content`, sometime. A full disk keeps nothing, and that is all. */
    put(address, content) { puts = puts.then(() => put(address, content)).catch(() => {}); },
    /** `{content, date}`, or null. */
    async get(address) {
      const copy = await (await opened)?.match(address).catch(() => null);
      return copy ? { content: await copy.blob(), date: new Date(copy.headers.get('date')).toISOString() } : null;
    },
  };
}
