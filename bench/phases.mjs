// Where the time goes: what the page and its workers have put down with `performance.measure`, summed by name.

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
  for (const worker of page.workers()) {
    const name = await worker.evaluate(() => self.name).catch(() => '');
    add(name || 'workers', await worker.evaluate(entries).catch(() => []));
  }
  return [...found.values()].sort((a, b) => b.total - a.total);
}

/** As rows of a table; the opening took `ms`. */
export const phaseRows = (list, ms) => list.map(({ where, name, count, total, longest }) => `| ${where} | ${name} | ${count} | ${total.toFixed(0)} ms | ${(100 * total / ms).toFixed(0)} % | ${longest.toFixed(0)} ms |`);
