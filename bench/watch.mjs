// How long the page's main thread is busy at a stretch, beside a loop that does the same everywhere: a time alone says as much
// of the machine as of the page, the quotient of the two says what the page does.

/** Runs before any script of the page: keeps tasks over 50 ms and the gaps between two turns of the main thread. */
export const TIMER = () => {
  const timer = { tasks: [], gaps: [], last: 0, on: false };
  const turn = () => {
    const now = performance.now();
    if (timer.on && timer.last && now - timer.last > 50) timer.gaps.push(now - timer.last);
    timer.last = now;
    // Rarely enough that it is no work worth speaking of: the peers have no such watch.
    setTimeout(turn, 20);
  };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) if (timer.on) timer.tasks.push(task.duration);
  }).observe({ type: 'longtask' });
  turn();
  Object.defineProperty(window, '__timer', { value: timer });
};

/** Runs before any script of the page: keeps when its state changed, and when the frame after that was drawn. */
export const CLOCK = () => {
  const seen = {};
  new MutationObserver(() => {
    const state = document.documentElement?.dataset.evalglass;
    if (!state || seen[state]) return;
    seen[state] = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => { seen[`${state} drawn`] = performance.now(); }));
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-evalglass'], childList: true });
  Object.defineProperty(window, '__seen', { value: seen });
};

/** Starts (or starts anew) the watch over the main thread. */
export const watch = (page) => page.evaluate(() => { Object.assign(window.__timer, { tasks: [], gaps: [], last: 0, on: true }); });

/** Ends it: the number of tasks over 50 ms, the longest of them, the longest gap between two turns, in milliseconds. */
export const watched = (page) => page.evaluate(() => {
  window.__timer.on = false;
  const longest = (list) => list.reduce((a, b) => Math.max(a, b), 0);
  return { tasks: window.__timer.tasks.length, longestTask: longest(window.__timer.tasks), longestGap: longest(window.__timer.gaps) };
});

/** Milliseconds that the page takes for a fixed loop: ten million steps of a generator of numbers, the best of five. */
export const loop = (page) => page.evaluate(() => {
  const times = [];
  let x = 1;
  for (let run = 0; run < 5; run += 1) {
    const from = performance.now();
    for (let i = 0; i < 10_000_000; i += 1) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; }
    times.push(performance.now() - from);
  }
  // Read, so that it is not left out.
  window.__x = x;
  return Math.min(...times);
});

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata'];

/**
 * The longest task of the page's main thread during `work`, in milliseconds that the thread itself worked (others on the machine
 * do not count), and what it did most: `{ ms, parts: [[name, ms]] }`.
 */
export async function longest(env, page, work) {
  await env.browser.startTracing(page, { categories: CATEGORIES });
  let trace;
  try { await work(); } finally { trace = await env.browser.stopTracing(); }
  const { traceEvents: events } = JSON.parse(trace.toString());
  const place = (e) => `${e.pid}/${e.tid}`;
  const main = new Set(events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map(place));
  const own = events.filter((e) => main.has(place(e)) && e.tdur !== undefined);
  const task = own.filter((e) => e.name === 'RunTask').reduce((a, b) => (a && a.tdur >= b.tdur ? a : b), null);
  if (!task) return { ms: 0, parts: [] };
  const sums = new Map();
  for (const e of own) {
    if (e === task || place(e) !== place(task) || e.ts < task.ts || e.ts > task.ts + task.dur) continue;
    sums.set(e.name, (sums.get(e.name) ?? 0) + e.tdur / 1000);
  }
  return { ms: task.tdur / 1000, parts: [...sums].sort((a, b) => b[1] - a[1]).slice(0, 8) };
}
