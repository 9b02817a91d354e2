// Where the time goes: what the page and its workers put down with `performance.measure`, summed by name.

/** Has the workers of `page`, those that start later too, tell what they measure: one that has ended tells nothing any more. */
export async function hear(page) {
  await page.evaluate(() => {
    window.__measures = [];
    new BroadcastChannel('measures').onmessage = ({ data }) => { window.__measures.push(data); };
  });
  const tell = (worker) => worker.evaluate(() => {
    const channel = new BroadcastChannel('measures');
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) channel.postMessage([self.name, name, duration]);
    }).observe({ type: 'measure', buffered: true });
  }).catch(() => {});
  page.on('worker', tell);
  await Promise.all(page.workers().map(tell));
}

/** Every measure of the page and its workers: `[{where, name, count, total, longest}]`, in milliseconds, the largest total first. */
export async function phases(page) {
  const entries = () => performance.getEntriesByType('measure').map(({ name, duration }) => [name, duration]);
  const found = new Map();
  const add = (where, list) => {
    for (const [name, duration] of list) {
      const key = `${where}\n${name}`;
      const sum = found.get(key) ?? { where, name, count: 0, total: 0, longest: 0 };
      found.set(key, { where, name, count: sum.count + 1, total: sum.total + duration, longest: Math.max(sum.longest, duration) });
    }
  };
  add('page', await page.evaluate(entries));
  // Workers of one program are one line: what several did side by side adds up.
  for (const [where, name, duration] of await page.evaluate(() => window.__measures)) add(where || 'workers', [[name, duration]]);
  return [...found.values()].sort((a, b) => b.total - a.total);
}

/** As rows of a table; the opening took `ms`. */
export const phaseRows = (list, ms) => list.map(({ where, name, count, total, longest }) => `| ${where} | ${name} | ${count} | ${total.toFixed(0)} ms | ${(100 * total / ms).toFixed(0)} % | ${longest.toFixed(0)} ms |`);
