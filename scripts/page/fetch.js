// Fetches what an address names: files of results, lists of such files, galleries. Knows nothing of the document, so that
// it can be tested without one.

/** Type of a file that stands for one on its server: `RemoteSource::TYPE` in src/browser/remote_source.rs. */
export const REMOTE_TYPE = 'application/vnd.evalglass.remote+json';

const MB = 1_000_000;
export const LIMITS = {
  // From this size on a file stays on its server, when that gives out parts of files.
  ranged: 8 * MB,
  // A file that is fetched whole.
  whole: 512 * MB,
  // A file that is looked at as a list or a gallery.
  list: 4 * MB,
  // Files of one link.
  files: 20_000,
  // Requests at once.
  atOnce: 6,
};

/** Why an address cannot be opened. `kind`: missing, not-allowed, elsewhere, too-large, unreachable, not-results, stopped. */
export class Refusal extends Error {
  constructor(kind, address, message) {
    super(message);
    this.kind = kind;
    this.address = String(address);
  }
}

/** Several refusals, and the addresses that could be opened without them. */
export class Refused extends Error {
  constructor(refusals, others = []) {
    super(refusals.map(({ address, message }) => `${address}: ${message}`).join(' '));
    this.refusals = refusals;
    this.others = others.map(String);
  }
}

const size = (n) => (n >= 1000 * MB ? `${(n / (1000 * MB)).toFixed(1)} GB` : `${Math.round(n / MB)} MB`);

/** The address of `text`, seen from `base`. Throws a Refusal. */
export function allowed(text, base, allowsOthers) {
  const home = new URL(base);
  if (!/^https?:$/.test(home.protocol)) throw new Refusal('not-allowed', text, 'This page was opened from disk and fetches nothing. Drop the files here instead.');
  let url;
  try { url = new URL(text, home); } catch { throw new Refusal('not-allowed', text, 'This is not an address.'); }
  url.hash = '';
  if (!/^https?:$/.test(url.protocol)) throw new Refusal('not-allowed', text, `Only http: and https: are opened, not ${url.protocol}`);
  if (url.username || url.password) throw new Refusal('not-allowed', text, 'Addresses with a name or a password in them are not opened.');
  if (url.origin !== home.origin && !allowsOthers) throw new Refusal('elsewhere', url, `This page fetches from its own host only; this lies on ${url.host}.`);
  return url;
}

/** Paths as a drop would give them: beginning with the last folder that all of `urls` share. */
export function paths(urls) {
  const readable = (part) => { try { return decodeURIComponent(part); } catch { return part; } };
  const all = urls.map((url) => [url.host, ...url.pathname.split('/').slice(1).map(readable)]);
  if (all.length === 1) return [all[0].at(-1) || all[0][0]];
  let nShared = 0;
  while (all.every((parts) => nShared < parts.length - 1 && parts[nShared] === all[0][nShared])) nShared += 1;
  // The host is a folder only where there are several.
  const from = nShared > 1 ? nShared - 1 : nShared;
  return all.map((parts) => parts.slice(from).join('/'));
}

/** What `results.json` says: `{title, groups: [{title, items: [{title, date, src}]}]}`, or null when `value` is something else. */
export function galleryOf(value, address) {
  const isText = (text) => typeof text === 'string' && text !== '';
  const isList = (list) => Array.isArray(list) && list.every(isText);
  if (isList(value)) return { title: '', groups: value.length ? [{ title: '', items: value.map((path) => ({ title: path, date: '', src: [path] })) }] : [] };
  if (typeof value !== 'object' || value === null || !Array.isArray(value.groups)) return null;
  const wrong = (where, wanted) => { throw new Refusal('not-results', address, `${where} is not ${wanted}.`); };
  const textOf = (object, name, where) => {
    const text = object[name] ?? '';
    return typeof text === 'string' ? text : wrong(`${where}${name}`, 'text');
  };
  const objectOf = (object, where) => (typeof object === 'object' && object !== null ? object : wrong(where, 'an object'));
  const groups = value.groups.map((group, g) => {
    const inGroup = `groups[${g}]`;
    const { items } = objectOf(group, inGroup);
    if (!Array.isArray(items)) wrong(`${inGroup}.items`, 'a list');
    return {
      title: textOf(group, 'title', `${inGroup}.`),
      items: items.map((item, i) => {
        const inItem = `${inGroup}.items[${i}]`;
        const { src } = objectOf(item, inItem);
        const list = isText(src) ? [src] : src;
        if (!isList(list) || list.length === 0) wrong(`${inItem}.src`, 'a path or a list of paths');
        const date = textOf(item, 'date', `${inItem}.`);
        if (date && !/^\d{4}-\d{2}-\d{2}/.test(date)) wrong(`${inItem}.date`, 'a date (2026-01-31)');
        return { title: textOf(item, 'title', `${inItem}.`) || list[0], date, src: list };
      }),
    };
  });
  return { title: textOf(value, 'title', ''), groups: groups.filter(({ items }) => items.length > 0) };
}

/**
 * A session of fetching. `base` is the address of the page; `onProgress(nDone, nTotal, name)` counts bytes, and nTotal is 0
 * as long as it is not known; `copies` keeps copies (see copies.js); `ask` is `fetch`.
 */
export function fetcher({ base, allowsOthers = false, onProgress = () => {}, signal, copies = null, ask = (...args) => fetch(...args) }) {
  let nDone = 0, nTotal = 0, isKnown = true;
  const grow = (by, name) => { nDone += by; onProgress(nDone, isKnown ? nTotal : 0, name); };

  /** One file: `{url, file, copyOf}`; `copyOf` is the date of the copy it comes from, when the server does not answer. */
  async function file(url) {
    const name = paths([url])[0];
    let response;
    try {
      response = await ask(url.href, { signal, cache: 'no-cache', referrerPolicy: 'no-referrer' });
    } catch {
      if (signal?.aborted) throw new Refusal('stopped', url, 'Stopped.');
      const copy = await copies?.get(url.href);
      if (copy) return { url, file: new File([copy.content], name), copyOf: copy.date };
      const isHere = url.origin === new URL(base).origin;
      throw new Refusal('unreachable', url, isHere ? 'The server does not answer.' : `${url.host} does not answer, or does not let other pages read this (CORS).`);
    }
    const refuse = async (kind, why) => { await response.body?.cancel(); throw new Refusal(kind, url, why); };
    if (!response.ok) await refuse('missing', `The server answers ${response.status}${response.statusText && ` (${response.statusText})`}.`);
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) await refuse('missing', 'The server answers with a web page in its place: the file is missing, or this is a folder.');
    const isPlain = !response.headers.get('content-encoding');
    const length = isPlain ? Number(response.headers.get('content-length') ?? Number.NaN) : Number.NaN;
    const givesParts = isPlain && /\bbytes\b/i.test(response.headers.get('accept-ranges') ?? '');
    if (givesParts && length >= LIMITS.ranged) {
      await response.body.cancel();
      const validator = ['ETag', 'Last-Modified'].map((header) => [header, response.headers.get(header)]).find(([, value]) => value);
      return { url, file: new File([JSON.stringify({ url: url.href, size: length, isHere: url.origin === new URL(base).origin, validator: validator ?? null })], name, { type: REMOTE_TYPE }) };
    }
    const tooLarge = (n) => refuse('too-large', `It is larger than ${size(LIMITS.whole)}${n ? ` (${size(n)})` : ''}, and the server gives out no parts of files. Download it and drop it here, or host it where range requests are answered.`);
    if (length > LIMITS.whole) await tooLarge(length);
    if (Number.isNaN(length)) isKnown = false; else nTotal += length;
    const chunks = [], reader = response.body.getReader();
    let nBytes = 0;
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        chunks.push(read.value);
        nBytes += read.value.length;
        grow(read.value.length, name);
        if (nBytes > LIMITS.whole) break;
      }
    } catch {
      throw new Refusal(signal?.aborted ? 'stopped' : 'unreachable', url, signal?.aborted ? 'Stopped.' : `The connection broke after ${nBytes} bytes.`);
    }
    if (nBytes > LIMITS.whole) { reader.releaseLock(); await tooLarge(0); }
    const content = new File(chunks, name, { lastModified: Date.parse(response.headers.get('last-modified')) || 0 });
    await copies?.put(url.href, content);
    return { url, file: content };
  }

  /** All of them, or one Refused with everything that is wrong and everything that is not. */
  async function files(urls) {
    const unique = [...new Map(urls.map((url) => [url.href, url])).values()];
    if (unique.length > LIMITS.files) throw new Refused([new Refusal('too-large', base, `${unique.length} files in one link; at most ${LIMITS.files} are opened.`)]);
    const found = [], refusals = [];
    let next = 0;
    const take = async () => {
      while (next < unique.length && !signal?.aborted) {
        const at = next;
        next += 1;
        try { found[at] = await file(unique[at]); } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          refusals.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: LIMITS.atOnce }, take));
    if (signal?.aborted) throw new Refused([new Refusal('stopped', base, 'Stopped. Nothing was opened.')]);
    const good = found.filter(Boolean);
    if (refusals.length > 0) throw new Refused(refusals, good.map(({ url }) => url));
    return good;
  }

  /** The addresses of `texts`, seen from `from`. */
  function addresses(texts, from) {
    const good = [], refusals = [];
    for (const text of texts) {
      try { good.push(allowed(text, from, allowsOthers)); } catch (error) { refusals.push(error); }
    }
    if (refusals.length > 0) throw new Refused(refusals, good);
    return good;
  }

  /** The JSON in a file that is small and called so; null when it is none. */
  async function json({ url, file: content }) {
    if (!/\.json$/i.test(url.pathname) || content.type === REMOTE_TYPE || content.size > LIMITS.list) return null;
    try { return JSON.parse(await content.text()); } catch { return null; }
  }

  return {
    /**
     * What `texts` name: `{files: [[path, file]], copyOf}`, or `{gallery, at}` when one of them is a gallery. A list of
     * paths stands for the files that it names.
     */
    async sources(texts) {
      const first = await files(addresses(texts, base));
      const found = [];
      for (const one of first) {
        const value = await json(one);
        if (Array.isArray(value) && value.length > 0 && value.every((path) => typeof path === 'string')) {
          found.push(...await files(addresses(value, one.url)));
          continue;
        }
        let gallery;
        try { gallery = value && galleryOf(value, one.url); } catch (error) { throw new Refused([error]); }
        if (gallery) return { gallery, at: one.url };
        found.push(one);
      }
      const names = paths(found.map(({ url }) => url));
      const dates = found.map(({ copyOf }) => copyOf).filter(Boolean).sort();
      return { files: found.map(({ file: content }, idx) => [names[idx], content]), copyOf: dates[0] ?? null };
    },
    /** The gallery beside the page; null when there is none. Throws when it is broken. */
    async gallery() {
      const url = new URL('results.json', base);
      const one = await file(url).catch(() => null);
      if (!one || one.file.type === REMOTE_TYPE) return null;
      const refused = (why) => new Refused([why instanceof Refusal ? why : new Refusal('not-results', url, why)]);
      let value;
      try { value = JSON.parse(await one.file.text()); } catch (error) { throw refused(`This is no JSON: ${error.message}`); }
      let gallery;
      try { gallery = galleryOf(value, url); } catch (error) { throw refused(error); }
      if (!gallery) throw refused('This is neither a gallery nor a list of paths.');
      return gallery.groups.length > 0 ? { gallery, at: url } : null;
    },
  };
}
