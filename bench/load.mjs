// Measures a first visit over a slow line: first paint, page usable, sample results on screen, counted from the navigation.
// usage: node bench/load.mjs [--runs 5] [--megabits 10] [--latency 40]
// The line is the browser's own (CDP), the cache is off, and every visit is made in a context of its own. Twice: with files as they
// are, and packed with gzip, as most hosts send them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';
import { median, option, round, say, seconds } from './options.mjs';
import { CLOCK } from './watch.mjs';

const runs = Number(option('runs', 5)), megabits = Number(option('megabits', 10)), latency = Number(option('latency', 40));
const WANTED = { paint: 600, usable: 1500, samples: 6000 };

async function visit(env) {
  const context = await env.browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  const parts = [];
  page.on('requestfinished', (request) => {
    const { startTime, responseEnd } = request.timing();
    parts.push({ path: new URL(request.url()).pathname.split('/').at(-1), started: startTime, ms: responseEnd });
  });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const throughput = megabits * 1e6 / 8;
  await session.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput });
  try {
    await page.addInitScript(CLOCK);
    await page.goto(env.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.documentElement.dataset.evalglass === 'idle');
    await page.getByRole('button', { name: 'Try sample results' }).click();
    await page.waitForFunction(() => window.__seen['ready drawn'] || window.__seen.failed);
    const { seen, paint, all } = await page.evaluate(() => ({
      seen: window.__seen,
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
      all: performance.getEntriesByType('resource').map(({ name, startTime, responseEnd, encodedBodySize }) => ({ path: name.split('/').at(-1), from: startTime, to: responseEnd, bytes: encodedBodySize })),
    }));
    if (seen.failed || problems.length) throw new Error(`the page failed: ${problems.join('; ')}`);
    return { paint: round(paint), usable: round(seen.idle), samples: round(seen['ready drawn']), resources: all, parts };
  } finally {
    await context.close();
  }
}

const result = { megabits, latency, runs };
for (const packed of [false, true]) {
  const env = await h.start({ packed });
  try {
    const each = [];
    // The server packs at the first request, which is nobody's time.
    await visit(env);
    for (let i = 0; i < runs; i += 1) {
      each.push(await visit(env));
      const { paint, usable, samples } = each.at(-1);
      say(`${packed ? 'packed' : 'as they are'}: first paint ${seconds(paint)}, usable ${seconds(usable)}, samples ${seconds(samples)}`);
    }
    result[packed ? 'packed' : 'plain'] = { ...Object.fromEntries(Object.keys(WANTED).map((name) => [name, median(each.map((one) => one[name]))])), each };
    result.chromium = env.browser.version();
  } finally {
    await env.stop();
  }
}
mkdirSync(join(h.root, 'bench/out'), { recursive: true });
writeFileSync(join(h.root, 'bench/out/load.json'), `${JSON.stringify(result, null, 2)}\n`);
const words = { paint: 'first paint', usable: 'page usable', samples: 'sample results on screen' };
console.log(`First visit at ${megabits} Mbit/s and ${latency} ms, median of ${runs}; Chromium ${result.chromium}.\n\n| what | files as they are | packed with gzip | wanted | met |\n|---|---|---|---|---|`);
for (const [name, wanted] of Object.entries(WANTED)) {
  const { plain, packed } = result;
  console.log(`| ${words[name]} | ${seconds(plain[name])} | ${seconds(packed[name])} | ≤ ${seconds(wanted)} | ${[plain[name], packed[name]].map((ms) => (ms <= wanted ? 'yes' : 'no')).join(', ')} |`);
}
