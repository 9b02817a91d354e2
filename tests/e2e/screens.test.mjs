// Visual regression: every page, with each producer's results, against a small picture of it that somebody has looked at.
//
// `EVALGLASS_SCREENS=update node --test tests/e2e/screens.test.mjs` takes the pictures anew: look at them before you commit.
// A picture is a third of the screen's size, so that the smoothing of letters does not count. Tolerance: at most 1 in 100 of
// its pixels may differ by more than 40 of 255 in some channel.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const folder = join(h.root, 'tests/e2e/screens');
const isUpdate = process.env.EVALGLASS_SCREENS === 'update';
const SHRINK = 3, CHANNEL = 40, SHARE = 0.01;

const SIZES = {
  'light-wide': { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  'dark-narrow': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
};

// What is opened, and which views of it are looked at.
const SETS = {
  start: { views: { start: '#/1/overview' } },
  'slop-code': {
    open: 'slop-code/g1/runs',
    views: {
      overview: '#/1/overview', run: '#/1/overview?of=0.0', cases: '#/1/cases', case: '#/1/cases?case=0.0.1', failures: '#/1/failures',
      rules: '#/1/rules', statistics: '#/1/statistics', trends: '#/1/trends', audit: '#/1/audit', notes: '#/1/notes',
    },
  },
  'letta-evals': { open: 'letta-evals/0.26.0_reward_multirun', views: { overview: '#/1/overview', statistics: '#/1/statistics', case: '#/1/cases?case=0.0.0', compare: '#/2/compare' } },
  rebel: { open: 'rebel', views: { overview: '#/1/overview', cases: '#/1/cases' } },
};

let env, lab;
before(async () => {
  env = await h.start();
  // A page for looking at pictures.
  lab = await env.keep(await env.browser.newContext()).newPage();
  mkdirSync(folder, { recursive: true });
});
after(() => env?.stop());

/** `png` at a third of its size: `{ png, data }`, data as RGBA bytes in base64. */
const shrunk = (png, factor) => lab.evaluate(async ([base64, by]) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(bitmap.width / by), Math.round(bitmap.height / by)];
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let bytes = '';
  for (let i = 0; i < data.length; i += 8192) bytes += String.fromCharCode(...data.subarray(i, i + 8192));
  return { width: canvas.width, height: canvas.height, png: canvas.toDataURL('image/png').split(',')[1], data: btoa(bytes) };
}, [png.toString('base64'), factor]);

async function compare(png, name) {
  const now = await shrunk(png, SHRINK);
  const file = join(folder, `${name}.png`);
  if (isUpdate) return writeFileSync(file, Buffer.from(now.png, 'base64'));
  assert.ok(existsSync(file), `${file} is missing: take it with EVALGLASS_SCREENS=update, and look at it`);
  const then = await shrunk(readFileSync(file), 1);
  assert.deepEqual([now.width, now.height], [then.width, then.height], `${name}: size`);
  const [a, b] = [now, then].map(({ data }) => Buffer.from(data, 'base64'));
  let differing = 0;
  for (let i = 0; i < a.length; i += 4) {
    if ([0, 1, 2].some((channel) => Math.abs(a[i + channel] - b[i + channel]) > CHANNEL)) differing += 1;
  }
  const share = differing / (a.length / 4);
  if (share > SHARE) writeFileSync(join(h.out, `${name}-now.png`), png);
  assert.ok(share <= SHARE, `${name}: ${(share * 100).toFixed(2)} % of the picture differs, ${SHARE * 100} % allowed; see ${join(h.out, `${name}-now.png`)}`);
}

for (const [size, options] of Object.entries(SIZES)) {
  for (const [set, { open, views }] of Object.entries(SETS)) {
    test(`${set}, ${size}`, async () => {
      const page = await h.openPage(env, { ...options, reducedMotion: 'reduce' });
      if (open) {
        await h.openFolder(page, join(h.fixtures, open));
        assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
      }
      for (const [view, hash] of Object.entries(views)) {
        await page.evaluate((to) => { location.hash = to; document.activeElement?.blur(); }, hash);
        await page.locator('main h1').first().waitFor();
        await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
        await page.waitForTimeout(250);
        await compare(await page.screenshot({ caret: 'hide', animations: 'disabled' }), `${set}-${view}-${size}`);
        assert.deepEqual(await h.axe(page), [], `axe on ${set} ${view} ${size}`);
      }
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}
