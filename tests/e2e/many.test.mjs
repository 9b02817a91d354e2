// Many small files: how often the browser is asked for them, how they reach the worker, and what one costs that cannot be read.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const N_LOGS = 1500;
let env, folder;
before(async () => {
  env = await h.start();
  folder = mkdtempSync(join(tmpdir(), 'evalglass-many-'));
});
after(async () => { await env?.stop(); rmSync(folder, { recursive: true, force: true }); });

const report = join(h.fixtures, 'rebel/guide/report.json');

// Messages from the page to its worker: counted, and held back while `hold` is on.
const POSTS = () => {
  const posts = { sizes: [], held: [], hold: false };
  const own = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function post(message, ...rest) {
    if (message?.files) posts.sizes.push(message.files.length);
    if (posts.hold) posts.held.push(() => own.call(this, message, ...rest)); else own.call(this, message, ...rest);
  };
  posts.release = () => { posts.hold = false; for (const post of posts.held.splice(0)) post(); };
  Object.defineProperty(window, '__posts', { value: posts });
};

// Counts what the workers ask the browser for: whole files, slices, many files as one.
const COUNT = () => {
  self.nReads = 0;
  for (const [type, name] of [[Blob, 'arrayBuffer'], [FileReaderSync, 'readAsArrayBuffer']]) {
    const own = type.prototype[name];
    type.prototype[name] = function read(...of) { self.nReads += 1; return own.apply(this, of); };
  }
};

test('small files are fetched once, many in one request, and come to the worker in several messages', async () => {
  const many = join(folder, 'many');
  mkdirSync(join(many, 'logs'), { recursive: true });
  cpSync(report, join(many, 'report.json'));
  for (let i = 0; i < N_LOGS; i += 1) writeFileSync(join(many, 'logs', `${i}.txt`), `what was said in run ${i}\n`);
  const page = await h.openPage(env, { init: POSTS, query: '?readers=2' });
  await h.settled(env);
  for (let i = 0; i < 100 && page.workers().length < 3; i += 1) await page.waitForTimeout(100);
  await Promise.all(page.workers().map((worker) => worker.evaluate(COUNT)));
  await h.openFolder(page, many);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const counts = await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.nReads ?? 0)));
  const reads = counts.reduce((a, b) => a + b, 0);
  assert.ok(reads > 0 && reads < N_LOGS / 5, `${reads} requests for ${N_LOGS + 1} files`);
  const sizes = await page.evaluate(() => window.__posts.sizes);
  assert.equal(sizes.reduce((a, b) => a + b, 0), N_LOGS + 1);
  assert.ok(sizes.length > 1, 'one message makes a task as long as the folder is large');
  assert.equal((await h.status(page)).cases, 1);
  assert.deepEqual(page.problems, []);
});

test('files that change or vanish before they are read cost only themselves, and are named', async () => {
  const some = join(folder, 'some');
  mkdirSync(some);
  for (const name of ['a', 'changed', 'gone', 'z']) cpSync(report, join(some, `${name}.json`));
  const page = await h.openPage(env, { init: POSTS });
  await h.settled(env);
  await page.evaluate(() => { window.__posts.hold = true; });
  await h.openFolder(page, some);
  await page.waitForFunction(() => window.__posts.held.some(Boolean) && window.__posts.sizes.reduce((a, b) => a + b, 0) === 4);
  writeFileSync(join(some, 'changed.json'), '{}');
  rmSync(join(some, 'gone.json'));
  await page.evaluate(() => window.__posts.release());
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  assert.equal((await h.status(page)).cases, 2);
  await h.go(page, 'Notes');
  await page.getByRole('main').getByText('some/gone.json').first().waitFor();
  const notes = await page.locator('main').innerText();
  assert.match(notes, /requested file could not be read[^\n]*some\/changed\.json/);
  assert.match(notes, /could not be found[^\n]*some\/gone\.json/);
  assert.doesNotMatch(notes, /requested file[^\n]*some\/[az]\.json/);
});
