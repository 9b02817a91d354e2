// One measurement of a folder: in the page, or in a peer. Each is made in a context of its own, which is closed after it.
import { spawn } from 'node:child_process';
import * as h from '../tests/e2e/harness.mjs';
import { memory } from './memory.mjs';
import { round } from './options.mjs';
import { hear, phases } from './phases.mjs';
import { TIMER, loop, watch, watched } from './watch.mjs';

/** From the page having the files to its saying that it is ready: `{ms, main, memory, phases}`. */
export async function inPage(env, { folder, facts }, readers) {
  const page = await h.openPage(env, { init: TIMER, query: readers === 'all' ? '' : `?readers=${readers}` });
  try {
    await h.settled(env);
    await hear(page);
    const before = await memory(env, page);
    await watch(page);
    await page.evaluate(() => {
      window.__done = new Promise((resolve) => {
        let from = null;
        addEventListener('change', () => { from = performance.now(); }, { capture: true, once: true });
        const look = () => { if (from !== null && ['ready', 'failed'].includes(document.documentElement.dataset.evalglass)) resolve(performance.now() - from); };
        new MutationObserver(look).observe(document.documentElement, { attributes: true, attributeFilter: ['data-evalglass'] });
      });
    });
    await h.openFolder(page, folder);
    const ms = await page.evaluate(() => window.__done);
    if (await h.waitFor(page, 'ready', 'failed') !== 'ready') throw new Error(`the page failed: ${page.problems.join('; ')}`);
    await page.waitForTimeout(500);
    const main = { ...await watched(page), fixed: await loop(page) };
    const { cases } = await h.status(page);
    if (cases !== facts.cases) throw new Error(`the page holds ${cases} cases, not ${facts.cases}`);
    const result = { ms: round(ms), main, phases: await phases(page), memory_before: before, memory: await memory(env, page) };
    if (page.problems.length) throw new Error(page.problems.join('; '));
    return result;
  } finally {
    await page.context().close();
  }
}

/** A peer: `mode` is one of those in bench/peers/index.html. One that runs out of memory is told as such, not as a time. */
export async function inPeer(env, { files, folder, facts }, { mode, choose, check }) {
  const page = await (await env.browser.newContext()).newPage();
  page.setDefaultTimeout(600_000);
  const crashed = new Promise((resolve) => { page.once('crash', () => resolve({ failed: 'the page ran out of memory' })); });
  try {
    await page.goto(`${env.origin}/lab/peers/`);
    await page.waitForFunction(() => document.documentElement.dataset.peers === 'ready');
    const chosen = choose === 'folder' ? folder : files.filter((file) => file.endsWith(choose));
    await page.getByLabel(choose === 'folder' ? 'Folder' : 'Files').setInputFiles(chosen);
    const measured = page.evaluate((m) => window.measure(m), mode).catch((error) => ({ failed: String(error.message).split('\n')[0] }));
    const result = await Promise.race([crashed, measured]);
    if (result.failed) return result;
    if (result.bytes !== result.all) throw new Error(`${mode}: ${result.bytes} bytes were read, not ${result.all}`);
    for (const [name, fact] of Object.entries(check ?? {})) {
      if (result[name] !== facts[fact]) throw new Error(`${mode}: ${name} is ${result[name]}, not ${facts[fact]}`);
    }
    return { ...result, ms: round(result.ms) };
  } finally {
    await page.context().close().catch(() => {});
  }
}

/** The native program, with what it prints thrown away: `{ms}`. */
export const natively = (program, { folder }) => new Promise((resolve, reject) => {
  const from = performance.now();
  const child = spawn(program, [folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('error', reject);
  child.once('close', (code) => (code === 0 ? resolve({ ms: round(performance.now() - from) }) : reject(new Error(`${program} ended with ${code}`))));
});
