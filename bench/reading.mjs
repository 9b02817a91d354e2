// Measures reading what is huge in the built page: how long the main thread works at a stretch while a transcript of 5,000
// messages, a difference of 100,000 lines, a failure text, a JSON tree and three hundred reports are drawn and scrolled.
// usage: node bench/reading.mjs [--throttle 1,4] [--runs 3]
// Every time stands beside that of a fixed loop in the same page: what is divided by it can be compared between machines.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';
import { CASES, build, buildMany } from '../tests/e2e/huge.mjs';
import { longest, loop } from './watch.mjs';

const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? or : process.argv[at + 1]; };
const rates = option('throttle', '1,4').split(',').map(Number), runs = Number(option('runs', 3));
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const folder = build();

async function open(page, path) {
  await h.openFolder(page, path);
  if (await h.waitFor(page, 'ready', 'failed') !== 'ready') throw new Error(page.problems.join('; '));
}

async function read(page, idx) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/1/cases?case=0.0.${idx}`);
  await page.locator('.case__id').filter({ hasText: CASES[idx] }).waitFor();
}

async function wheel(page, times) {
  await page.mouse.move(800, 500);
  for (let i = 0; i < times; i += 1) { await page.mouse.wheel(0, 3000); await page.waitForTimeout(50); }
}

const WORK = {
  'transcript of 5,000 messages: open': { before: (page) => open(page, folder), work: (page) => read(page, 0) },
  'transcript of 5,000 messages: scroll': { before: async (page) => { await open(page, folder); await read(page, 0); }, work: (page) => wheel(page, 20) },
  'difference of 100,000 lines: open, scroll': {
    before: (page) => open(page, folder),
    work: async (page) => {
      await read(page, 1);
      await page.locator('summary', { hasText: 'Difference' }).click();
      const view = page.locator('.diff .viewer');
      await view.locator('.row').first().waitFor();
      for (const part of [0.3, 0.9, 1]) {
        await view.evaluate((e, part) => { e.scrollTop = e.scrollHeight * part; }, part);
        await page.waitForTimeout(200);
      }
    },
  },
  'failure text of 260,000 letters': {
    before: (page) => open(page, folder),
    work: async (page) => { await read(page, 2); await page.locator('.text--failure .row').first().waitFor(); },
  },
  'JSON tree of 120,000 values': {
    before: async (page) => { await open(page, folder); await read(page, 4); },
    work: async (page) => {
      for (const words of [/^rows/, /^0 – /, /^0 – /]) {
        await page.locator('.json details:not([open]) > summary').filter({ hasText: words }).first().click({ timeout: 2000 }).catch(() => {});
        await page.waitForTimeout(300);
      }
    },
  },
  '300 reports: open, Overview, Statistics': {
    work: async (page) => {
      await open(page, buildMany(300));
      await h.go(page, 'Statistics');
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(500);
    },
  },
};

const env = await h.start();
const result = [];
try {
  for (const rate of rates) {
    for (const [name, { before, work }] of Object.entries(WORK)) {
      const seen = [];
      for (let i = 0; i < runs; i += 1) {
        const page = await h.openPage(env);
        await h.settled(env);
        await before?.(page);
        await page.waitForTimeout(300);
        await h.throttled(page, rate, async () => {
          const fixed = await loop(page);
          await h.watch(page);
          const { ms, parts } = await longest(env, page, () => work(page));
          const { elements, answer } = await h.watched(page);
          seen.push({ ms, fixed, ratio: ms / fixed, elements, answer, parts });
        });
        if (page.problems.length) throw new Error(page.problems.join('; '));
        await page.context().close();
      }
      const middle = seen.find(({ ratio }) => ratio === median(seen.map((one) => one.ratio)));
      result.push({ name, rate, ...middle });
      console.error(`bench: ${name}, ×${rate}: ${seen.map(({ ms }) => ms.toFixed(1)).join(' ')} ms, loop ${middle.fixed.toFixed(1)} ms; ${middle.parts.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(', ')}`);
    }
  }
} finally {
  await env.stop();
}
mkdirSync(join(h.root, 'bench/out'), { recursive: true });
writeFileSync(join(h.root, 'bench/out/reading.json'), `${JSON.stringify({ runs, result }, null, 2)}\n`);
console.log(`median of ${runs}\n\n| what | main thread slowed | longest task | fixed loop | task / loop | elements in a frame | largest answer |\n|---|---|---|---|---|---|---|`);
for (const r of result) console.log(`| ${r.name} | × ${r.rate} | ${r.ms.toFixed(0)} ms | ${r.fixed.toFixed(0)} ms | ${r.ratio.toFixed(1)} | ${r.elements} | ${(r.answer / 1000).toFixed(1)} KB |`);
