// What the page holds after a load: heaps of its programs, of JavaScript, and what the kernel says of its process.
import { readFileSync } from 'node:fs';
import { say } from './options.mjs';

/** Flags of the browser that let it measure at once. */
export const FLAGS = ['--enable-blink-features=ForceEagerMeasureMemory', '--enable-precise-memory-info'];

/** Private memory of every process of the browser that draws pages, from the kernel. */
async function ofProcesses(env) {
  try {
    const session = await env.browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    let total = 0;
    for (const { type, id } of processInfo) {
      if (type !== 'renderer') continue;
      const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      for (const [, kb] of text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)) total += kb * 1024;
    }
    return total;
  } catch (error) {
    say(`memory of the processes is not known: ${error.message}`);
    return null;
  }
}

/** Bytes: `wasm` by program, `user_agent` (JavaScript and DOM), `heaps` (both), `renderer_private`. */
export async function memory(env, page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage').catch(() => {});
  await session.detach();
  // The programs' own heaps. Of the app, initialising again gives the instance that runs.
  const wasm = { app: 0, workers: 0 };
  for (const worker of page.workers()) {
    wasm.workers += await worker.evaluate(() => globalThis.heapBytes?.() ?? 0).catch(() => 0);
  }
  wasm.app = await page.evaluate(async () => {
    const script = document.querySelector('link[rel=modulepreload]')?.href;
    return script ? (await (await import(script)).default()).memory.buffer.byteLength : 0;
  }).catch(() => 0);
  const userAgent = await page.evaluate(async () => {
    if (!crossOriginIsolated || !performance.measureUserAgentSpecificMemory) return null;
    return (await performance.measureUserAgentSpecificMemory()).bytes;
  });
  // The browser's own measure leaves the memory of wasm instances out (seen in Chromium 156), so it is added.
  return { wasm, workers: page.workers().length, user_agent: userAgent, heaps: (userAgent ?? 0) + wasm.app + wasm.workers, renderer_private: await ofProcesses(env) };
}

/** The most private memory of the processes that draw pages while `work` goes on, looked at ten times a second; and what it comes to. */
export async function mostMemory(env, work) {
  let most = 0, goesOn = true;
  const looking = (async () => {
    while (goesOn) {
      most = Math.max(most, await ofProcesses(env) ?? 0);
      await new Promise((done) => { setTimeout(done, 100); });
    }
  })();
  const done = await work().finally(() => { goesOn = false; });
  await looking;
  return { done, most };
}
