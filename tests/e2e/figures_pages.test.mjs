// Pages of figures: how much of the pane they use, how high they are, tables that are sorted, tables of long words that fit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

const SLOP = join(h.fixtures, 'slop-code/g2/v1.0');
const LETTA = join(h.fixtures, 'letta-evals/0.26.0_reward_multirun');

/** A run directory of seven checkpoints, written once. */
function seven() {
  const target = process.env.CARGO_TARGET_DIR ?? join(h.root, 'target');
  const program = ['release', 'debug'].map((p) => join(target, p, 'examples/generate')).find((p) => existsSync(p));
  if (!program) throw new Error('the example `generate` is not built: run `cargo build --example generate` first');
  const folder = join(target, 'generated', 'slop-7');
  if (!existsSync(folder)) {
    mkdirSync(join(target, 'generated'), { recursive: true });
    execFileSync(program, ['--out', folder, '--kind', 'slop-code', '--checkpoints', '7', '--megabytes', '1']);
  }
  return folder;
}

async function open(folder, width = 1440, height = 900) {
  const page = await h.openPage(env, { viewport: { width, height } });
  await h.drop(page, folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  return page;
}

/**
 * How much of the pane's width each row of panels uses: panels whose tops lie together are a row. What counts is how far what is
 * in them goes (a table, a chart; a panel of words alone counts as a whole), not their frames: a frame that is drawn wider
 * fills nothing. Room within a frame's own edges is no waste.
 */
const used = (page) => page.evaluate(() => {
  const pane = document.querySelector('.sections__parts').getBoundingClientRect();
  const rows = new Map();
  for (const panel of document.querySelectorAll('.panels > .data-table, .panels .figures > .figure')) {
    const box = panel.getBoundingClientRect();
    // A lone chart has its table beside it.
    const inner = [...panel.querySelectorAll(':scope > .data-table__scroll > table, .figure__plot > svg, .figure__table table')];
    const reach = Math.max(...inner.map((one) => one.getBoundingClientRect().right));
    const right = Math.min(inner.length ? reach + 17 : box.right, pane.right);
    const at = Math.round(box.top);
    rows.set(at, Math.max(rows.get(at) ?? 0, (right - pane.left) / pane.width));
  }
  return [...rows.values()];
});

test('statistics and trends use the width of the pane, and seven checkpoints are no long way', async () => {
  for (const folder of [SLOP, LETTA, seven()]) {
    const page = await open(folder);
    for (const name of ['Statistics', 'Trends']) {
      await h.go(page, name);
      await page.locator('.panels table, .figure__plot > svg, .figure__empty, .panel--empty').first().waitFor();
      await page.waitForTimeout(600);
      const rows = await used(page);
      const mean = rows.reduce((a, b) => a + b, 0) / rows.length;
      assert.ok(rows.length === 0 || mean >= 0.85, `${folder} ${name}: ${mean.toFixed(3)} of ${rows.map((r) => r.toFixed(2))}`);
      if (name === 'Statistics') {
        const height = await page.locator('.sections').evaluate((whole) => whole.scrollHeight);
        assert.ok(folder === LETTA || height <= 5000, `${folder}: ${height} px`);
      }
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('the head of a column sorts a table: one way, the other, as it was', async () => {
  const page = await open(SLOP);
  await h.go(page, 'Statistics');
  const table = page.getByRole('table', { name: 'Slowest cases' });
  const head = table.getByRole('columnheader', { name: 'Case' });
  const button = head.getByRole('button');
  const names = () => table.getByRole('rowheader').allInnerTexts();
  await table.getByRole('rowheader').first().waitFor();
  const before = await names();
  await button.click();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  const up = await names();
  assert.notDeepEqual(up, before);
  assert.deepEqual([...up].sort(), [...before].sort());
  await button.focus();
  await page.keyboard.press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  assert.notDeepEqual(await names(), up);
  assert.equal(await button.evaluate((it) => it === document.activeElement), true, 'the focus stays');
  await page.keyboard.press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), null);
  assert.deepEqual(await names(), before);
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
});

test('the list of sections follows the scroll and leads to a heading', async () => {
  const page = await open(SLOP);
  await h.go(page, 'Statistics');
  const list = page.getByRole('navigation', { name: 'On this page' });
  await list.getByRole('button', { name: 'Timing' }).click();
  const heading = page.getByRole('heading', { name: 'Timing', exact: true });
  await h.focused(page, (it) => it?.textContent === 'Timing' && /^H\d$/.test(it.tagName), 'the heading gets the focus');
  assert.equal(await list.getByRole('button', { name: 'Timing' }).getAttribute('aria-current'), 'true');
  const box = await heading.boundingBox();
  assert.ok(box.y >= 40 && box.y < 400, `the heading is in sight: ${box.y}`);
  await page.context().close();
});

test('the audit and the notes fit their frames, the reason in sight', async () => {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    const page = await open(SLOP, width, height);
    for (const at of ['audit', 'notes']) {
      await page.evaluate((hash) => { location.hash = hash; }, `#/2/${at}`);
      await page.locator('.data-table--entries table').first().waitFor();
      await page.waitForTimeout(300);
      const over = await page.locator('.data-table--entries .data-table__scroll').evaluateAll((all) =>
        all.map((one) => one.scrollWidth - one.clientWidth));
      assert.ok(over.length > 0 && over.every((px) => px <= 1), `${at} at ${width}: ${over}`);
    }
    await page.evaluate(() => { location.hash = '#/2/audit'; });
    const reason = page.getByText(/may have been edited after writing/).first();
    await reason.waitFor();
    const box = await reason.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= width, `the reason is in sight: ${JSON.stringify(box)}`);
    await page.context().close();
  }
});

test('failures stand against runs, and a count leads to its cases', async () => {
  const page = await open(SLOP);
  await h.go(page, 'Failures');
  await page.getByRole('heading', { name: 'Similar messages' }).waitFor();
  const headings = await page.locator('.section__title').allInnerTexts();
  assert.equal(headings[0], 'Similar messages');
  const matrix = page.getByRole('table', { name: /^Failing cases by .* and run$/ });
  const link = matrix.getByRole('link').first();
  const n = Number(await link.innerText());
  await link.click();
  await page.locator('#case-search').waitFor();
  await page.waitForTimeout(400);
  assert.match(await page.locator('.page-head__count').innerText(), new RegExp(`^${n}\\b`));
  assert.deepEqual(page.problems, []);
});
