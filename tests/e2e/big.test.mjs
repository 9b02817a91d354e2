// A large file: the page stays responsive while it loads, shows how far it is, and can be told to stop.
// EVALGLASS_BIG_MB sets the size (40 by default; `make bench` measures 400).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const megabytes = Number(process.env.EVALGLASS_BIG_MB ?? 40);
let env, big;
before(async () => {
  env = await h.start();
  big = await h.generated({ samples: megabytes * 125, megabytes });
});
after(() => env?.stop());

test(`while ${megabytes} MB load, the main thread is given little at a time`, async () => {
  const page = await h.openPage(env);
  await h.settled(env);
  await h.watch(page);
  await h.openFolder(page, big.folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await h.go(page, 'Cases');
  await page.getByRole('row').nth(2).waitFor();
  for (const part of [0.5, 0.1, 0.9, 1]) {
    await page.locator('#case-grid').evaluate((e, part) => { e.scrollTop = e.scrollHeight * part; }, part);
    await page.waitForTimeout(200);
  }
  const { elements, answers, answer } = await h.watched(page);
  const { runs, cases } = await h.status(page);
  assert.deepEqual({ runs, cases }, { runs: big.facts.runs, cases: big.facts.cases });
  assert.ok((await h.states(page)).includes('loading'), 'the page said that it was loading');
  assert.ok(elements > 0 && elements <= h.WINDOW, `${elements} elements between two frames`);
  assert.ok(answer > 0 && answer <= h.ANSWER, `an answer of ${answer} bytes`);
  assert.ok(answers < 500, `${answers} answers: progress is told now and then, not for each row`);
  assert.ok(await page.getByRole('row').count() < 200, 'rows out of sight are not in the document');
  assert.deepEqual(page.problems, []);
});

test('progress is shown, and Cancel stops the reading', async () => {
  const page = await h.openPage(env);
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
  // A slow machine is what makes a short load long enough to be watched.
  const state = await h.throttled(page, 4, async () => {
    await h.openFolder(page, big.folder);
    await page.waitForFunction(() => window.__cancel, null, { timeout: 30_000 });
    return h.waitFor(page, 'idle', 'ready', 'failed');
  });
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
});
