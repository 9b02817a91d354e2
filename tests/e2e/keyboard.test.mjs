// The whole way by keyboard only: open the samples, walk the pages, open a case, come back.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

/** Presses Tab until the focused element's name matches; fails after `limit`. Returns the names passed. */
async function tabTo(page, pattern, { key = 'Tab', limit = 80 } = {}) {
  const seen = [];
  for (let i = 0; i < limit; i += 1) {
    await page.keyboard.press(key);
    const focus = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return { name: '', visible: true };
      const name = (e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent.trim() || e.title || '').trim().replace(/\s+/g, ' ');
      // A heading that has just come is no stop of Tab.
      if (e.tagName === 'H1') return { name: '', visible: true };
      const style = getComputedStyle(e);
      const shown = (s) => (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== 'none';
      const label = e.labels?.[0];
      return { name, visible: shown(style) || (label ? shown(getComputedStyle(label)) : false) };
    });
    seen.push(focus.name.slice(0, 40));
    if (focus.name) assert.ok(focus.visible, `the focus on "${focus.name.slice(0, 60)}" cannot be seen`);
    if (pattern.test(focus.name)) return seen;
  }
  return assert.fail(`Tab never reached ${pattern}; it passed ${[...new Set(seen)].join(', ')}`);
}

test('samples, cases, a case, and back, by keyboard', async () => {
  const page = await h.openPage(env, { again: true });
  await tabTo(page, /^Try sample results/);
  await page.keyboard.press('Enter');
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');

  // The heading has the focus: the pages are before it.
  for (const [name, key] of [['Cases', 'Shift+Tab'], ['Audit', 'Tab'], ['Overview', 'Shift+Tab'], ['Cases', 'Tab']]) {
    // Tabs are one stop with arrow keys, links are one stop each: both are fine.
    const tabs = await page.getByRole('tab', { name, exact: true }).count();
    if (tabs) {
      const selected = page.getByRole('tab', { selected: true });
      await selected.focus();
      const names = (await page.getByRole('tab').allInnerTexts()).map((t) => t.trim());
      const from = names.indexOf((await selected.innerText()).trim()), to = names.indexOf(name);
      for (let i = 0; i < Math.abs(to - from); i += 1) await page.keyboard.press(to > from ? 'ArrowRight' : 'ArrowLeft');
      await page.keyboard.press('Enter');
    } else {
      await page.evaluate(() => document.activeElement?.blur());
      await tabTo(page, new RegExp(`^${name}\\b`), { key });
      await page.keyboard.press('Enter');
    }
    await page.waitForTimeout(100);
  }

  const rows = page.getByRole('row');
  await rows.nth(1).waitFor();
  // Into the table, down two rows, open.
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => !!document.activeElement?.closest('[role="grid"], [role="table"], table') && !document.activeElement.closest('[role="columnheader"], th'))) break;
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /checks|attempts|transcript|raw/i }).first()
    .or(page.getByText(/^Raw JSON/i).first()).first().waitFor({ timeout: 10_000 });
  assert.deepEqual(await h.axe(page), []);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Shift+?');
  await page.getByText(/keys|shortcuts/i).first().waitFor({ timeout: 5_000 });
  await page.keyboard.press('Escape');

  await page.evaluate(() => document.activeElement?.blur());
  // Facets are many stops; the palette is the short way.
  await tabTo(page, /^Export/, { limit: 240 });
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: /^Report \(JSON\)/ });
  await item.waitFor();
  for (let i = 0; i < 10 && !(await item.evaluate((e) => e === document.activeElement)); i += 1) await page.keyboard.press('ArrowDown');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.equal(download.suggestedFilename(), 'evalglass-report.json');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('the tree says level, state and outcome of each line, each once; a chevron folds, a click selects', async () => {
  const page = await h.openPage(env, {});
  await h.drop(page, join(h.fixtures, 'slop-code/g2/v1.0'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const client = await page.context().newCDPSession(page);
  const items = async () => {
    const { nodes } = await client.send('Accessibility.getFullAXTree');
    return nodes.filter((node) => node.role?.value === 'treeitem').map((node) => ({
      name: node.name?.value ?? '', description: node.description?.value ?? '',
      ...Object.fromEntries((node.properties ?? []).map((one) => [one.name, one.value.value])),
    }));
  };
  const [all, evaluation, ...runs] = await items();
  assert.match(all.name, /^Everything/);
  assert.deepEqual([evaluation.level, evaluation.expanded, evaluation.selected], [1, true, true]);
  assert.match(evaluation.name, /^failed maple/);
  assert.equal(runs.length, 3);
  for (const run of runs) {
    assert.deepEqual([run.level, run.selected], [2, false]);
    assert.match(run.name, /^(passed|failed) inventory_api/);
    assert.match(run.description, /^\d+ of \d+ cases passed$/, 'what the name says is not said again');
  }
  // What is selected stays when something is folded.
  const tree = page.getByRole('tree');
  await tree.locator('.tree__chevron').click();
  await page.waitForFunction(() => document.querySelectorAll('[role=treeitem]').length === 2);
  assert.equal((await items())[1].expanded, false);
  await tree.locator('.tree__chevron').click();
  await tree.getByRole('treeitem', { name: /checkpoint_2/ }).click();
  await tree.locator('.tree__chevron').click();
  await page.waitForFunction(() => document.querySelectorAll('[role=treeitem]').length === 2);
  assert.match(await page.evaluate(() => location.hash), /run=/, 'the run is still looked at');
  await tree.getByRole('treeitem', { name: /maple/ }).click();
  assert.equal((await items())[1].expanded, false, 'a click selects and folds nothing');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
