// The start page: says what it is, passes axe in both colour schemes and at every width, and asks for nothing after it has loaded.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of [[360, 740], [1280, 800], [2560, 1440]]) {
    test(`start page, ${colorScheme}, ${width} px`, async () => {
      const page = await h.openPage(env, { colorScheme, viewport: { width, height } });
      assert.equal(await h.waitFor(page, 'idle', 'failed'), 'idle');
      await page.getByRole('button', { name: 'Try sample results' }).waitFor();
      assert.equal(await page.getByLabel('Open files', { exact: true }).count(), 1, 'one input "Open files"');
      assert.equal(await page.getByLabel('Open folder', { exact: true }).getAttribute('webkitdirectory') !== null, true);
      await h.picture(page, `start-${colorScheme}-${width}`);
      assert.deepEqual(await h.axe(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `the page scrolls sideways by ${wide} px`);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}

test('the policy of the page lets nothing foreign run', async () => {
  const page = await h.openPage(env);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  for (const part of ["default-src 'none'", "connect-src 'self'", "worker-src 'self' blob:", "'wasm-unsafe-eval'"]) assert.ok(policy.includes(part), `${part} in ${policy}`);
  assert.ok(!/unsafe-inline|'unsafe-eval'|https?:|\*|CSP-HASHES/.test(policy), policy);
  const blocked = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.__ran = true';
    document.head.append(script);
    return window.__ran !== true;
  });
  assert.ok(blocked, 'an inline script without a digest must not run');
  await page.context().close();
});

test('a page that asks for anything after it has loaded is caught', async () => {
  const page = await h.openPage(env);
  await h.settled(env);
  assert.deepEqual([h.rulesBroken(), page.problems], [[], []], 'loading is no offence');
  const ask = async (address) => {
    await page.evaluate((url) => fetch(url, { cache: 'no-store' }).catch(() => {}), address);
    return h.rulesBroken().map((words) => words.replace(/: http.*\//, ': '));
  };
  const style = await page.locator('link[rel="stylesheet"]').getAttribute('href');
  assert.deepEqual(await ask(style), [`request after load: ${style.replace('./', '')}`], 'a part that it has');
  assert.deepEqual(await ask('./results.json'), ['request after load: results.json']);
  assert.deepEqual(await ask('./other.json'), ['request for something else than the page: other.json']);
  await ask('https://example.invalid/x');
  assert.ok(page.problems.some((problem) => problem.includes("violates the document's Content Security Policy") || problem.startsWith('request to another host')), `${page.problems}`);
  await page.context().close();
});

test('what is dropped before the program runs is opened by it, and the page is not left', async () => {
  const folders = ['rebel/basic', 'letta-evals/0.26.0_reward_multirun'].map((path) => join(h.fixtures, path));
  const early = await h.droppedEarly(env, (init) => h.openPage(env, { init }), ...folders);
  assert.equal(await h.waitFor(early, 'ready', 'failed'), 'ready');
  // The same dropped later gives the same.
  const late = await h.openPage(env);
  await h.drop(late, ...folders);
  assert.equal(await h.waitFor(late, 'ready', 'failed'), 'ready');
  assert.equal((await h.status(early)).text, (await h.status(late)).text);
  assert.deepEqual([early.problems, late.problems], [[], []]);
  await Promise.all([early, late].map((page) => page.context().close()));
});

test('the sample results open', async () => {
  const page = await h.openPage(env, { again: true });
  await page.getByRole('button', { name: 'Try sample results' }).click();
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const { runs, cases } = await h.status(page);
  assert.ok(runs >= 3 && cases > 0, `${runs} runs, ${cases} cases`);
  await h.picture(page, 'samples');
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('without Web Assembly permission nor scripts there is a word about it', async () => {
  const context = await env.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(env.url);
  assert.match(await page.locator('noscript').innerText(), /scripts/);
  await context.close();
});
