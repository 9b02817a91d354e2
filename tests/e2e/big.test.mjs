// A large file: the page stays responsive while it loads, shows how far it is, and can be told to stop.
// EVALGLASS_BIG_MB sets the size (40 by default; `make bench` measures 400).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const megabytes = Number(process.env.EVALGLASS_BIG_MB ?? 40);
const LIMIT = 50;
let env, big;
before(async () => {
  env = await h.start();
  big = await h.generated({ samples: megabytes * 125, megabytes });
});
after(() => env?.stop());

/** The longest task of the page's main thread in a trace: milliseconds that the thread itself worked. */
function longestTask(trace) {
  const events = JSON.parse(trace.toString()).traceEvents;
  const place = (e) => `${e.pid}/${e.tid}`;
  const main = new Set(events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map(place));
  const tasks = events.filter((e) => e.name === 'RunTask' && main.has(place(e)) && e.tdur !== undefined);
  assert.ok(tasks.length > 50, `only ${tasks.length} tasks are in the trace`);
  return Math.max(...tasks.map((e) => e.tdur)) / 1000;
}

test(`no main-thread task over ${LIMIT} ms while ${megabytes} MB load`, async () => {
  // Wall time would measure who else is on the machine; the thread's own time is the page's. `make bench` reports wall time.
  const page = await h.openPage(env);
  await h.settled(env);
  await env.browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await h.openFolder(page, big.folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await page.waitForTimeout(300);
  const longest = longestTask(await env.browser.stopTracing());
  const { runs, cases } = await h.status(page);
  assert.deepEqual({ runs, cases }, { runs: big.facts.runs, cases: big.facts.cases });
  assert.ok((await h.states(page)).includes('loading'), 'the page said that it was loading');
  assert.deepEqual(page.problems, []);
  await page.context().close();
  assert.ok(longest <= LIMIT, `the longest task worked ${longest} ms`);
});

test('progress is shown, and Cancel stops the reading', async () => {
  const page = await h.openPage(env);
  // A slow machine is what makes a short load long enough to be watched.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  // Set before the files arrive, so that a fast load is not missed.
  await page.evaluate(() => {
    window.__progress = [];
    window.__cancel = false;
    new MutationObserver(() => {
      const bar = document.querySelector('progress, [role="progressbar"]');
      if (!bar) return;
      const value = Number(bar.getAttribute('aria-valuenow') ?? bar.getAttribute('value') ?? bar.value);
      if (Number.isFinite(value) && window.__progress.at(-1) !== value) window.__progress.push(value);
      const cancel = [...document.querySelectorAll('button')].find((b) => /^Cancel/.test(b.textContent.trim()));
      if (cancel && !window.__cancel && window.__progress.length >= 2) { window.__cancel = true; cancel.click(); }
    }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
  });
  await h.openFolder(page, big.folder);
  await page.waitForFunction(() => window.__cancel, null, { timeout: 30_000 });
  const state = await h.waitFor(page, 'idle', 'ready', 'failed');
  assert.notEqual(state, 'failed', 'a cancelled load is no failure');
  await page.waitForTimeout(300);
  assert.notEqual(await page.evaluate(() => document.documentElement.dataset.evalglass), 'loading');
  const progress = await page.evaluate(() => window.__progress);
  assert.ok(progress.every((v, i) => i === 0 || v >= progress[i - 1]), `progress only grows: ${progress}`);
  assert.deepEqual(await h.axe(page), []);
  // The page is not broken by it: the same folder opens.
  await h.openFolder(page, big.folder);
  const wanted = big.facts.cases;
  await page.waitForFunction((n) => [...document.querySelectorAll('[role="status"]')].some((e) => e.textContent.replace(/\D/g, '').endsWith(`${n}`) || e.textContent.replace(/[,\s.]/g, '').includes(`${n}case`)), wanted, { timeout: 60_000 });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
