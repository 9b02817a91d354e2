// A static server for the built page, loopback only, from a sub-path as on a real host.
// usage: node scripts/serve.mjs [--dir dist] [--port 8080] [--isolated]
import { createServer } from 'node:http';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8', '.json': 'application/json', '.jsonl': 'application/jsonl', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json',
};

/**
 * Serves the folders of `mounts` ({'/lab/evalglass/': 'dist'}), longest prefix first; `packed`: with gzip, as most hosts do.
 * @returns {Promise<{url: string, requests: string[], close: () => Promise<void>}>} `requests` grows with every request.
 */
export async function serve({ mounts, port = 0, isolated = false, packed = false }) {
  const requests = [], parcels = new Map();
  const prefixes = Object.keys(mounts).sort((a, b) => b.length - a.length);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    requests.push(`${request.method} ${path}`);
    const prefix = prefixes.find((p) => path.startsWith(p));
    if (!prefix) {
      const folder = prefixes.find((p) => `${path}/` === p);
      response.writeHead(folder ? 301 : 404, folder ? { location: folder } : {}).end();
      return;
    }
    const inside = normalize(path.slice(prefix.length));
    let file = join(mounts[prefix], inside.startsWith('..') ? '' : inside);
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!existsSync(file)) { response.writeHead(404).end('not found\n'); return; }
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.setHeader('cache-control', 'no-cache');
    if (isolated) {
      response.setHeader('cross-origin-opener-policy', 'same-origin');
      response.setHeader('cross-origin-embedder-policy', 'require-corp');
    }
    const { size, mtime } = statSync(file);
    response.setHeader('accept-ranges', 'bytes').setHeader('last-modified', mtime.toUTCString());
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    if (range && request.method === 'GET') {
      const [start, end] = [Number(range[1]), Math.min(range[2] === '' ? size : Number(range[2]), size - 1)];
      if (start > end) { response.writeHead(416, { 'content-range': `bytes */${size}` }).end(); return; }
      response.writeHead(206, { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 });
      createReadStream(file, { start, end }).pipe(response);
      return;
    }
    let body = readFileSync(file);
    if (packed && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      if (!parcels.has(file)) parcels.set(file, gzipSync(body, { level: 9 }));
      body = parcels.get(file);
      response.setHeader('content-encoding', 'gzip');
    }
    response.setHeader('content-length', body.length);
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  const listen = (p) => new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(p, '127.0.0.1', () => { server.removeListener('error', reject); resolve(); });
  });
  await listen(port).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(0);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}${prefixes[0]}`,
    requests,
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? or : process.argv[at + 1]; };
  const dir = option('dir', 'dist');
  if (!existsSync(join(dir, 'index.html'))) { console.error(`${dir}/index.html is missing: run \`make dist\` first`); process.exit(1); }
  const port = Number(option('port', process.env.PORT ?? 8080));
  const { url } = await serve({ mounts: { '/evalglass/': dir }, port, isolated: process.argv.includes('--isolated') });
  console.log(`Evalglass: ${url}\nDrop results on the page, or choose "Try sample results". Ctrl-C ends it.`);
}
