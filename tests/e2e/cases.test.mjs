// The table of cases: filter with completion, facets, order by several columns, columns by key and hand, texts, selection, search, heat map.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import * as h from './harness.mjs';

let env, page;
before(async () => { env = await h.start(); });
beforeEach(async () => {
  page = await h.openPage(env, { viewport: { width: 1440, height: 860 } });
  await h.openFolder(page, join(h.fixtures, 'slop-code/g2/v1.0'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await h.go(page, 'Cases');
  await page.getByRole('row').nth(2).waitFor();
});
afterEach(() => assert.deepEqual(page?.problems, []));
after(() => env?.stop());

const field = () => page.getByRole('combobox', { name: 'Filter the cases' });
const focused = () => page.evaluate(() => document.activeElement?.id);
const kept = (name) => page.evaluate((key) => localStorage[`evalglass-${key}`], name);
/** Waits for the line beside the title to say `text`. */
const counted = (text) => page.locator('.page-head__count').filter({ hasText: text }).waitFor();
const clear = async () => { await field().fill(''); await counted(/^28 cases$/); };

test('a filter is completed, and what is wrong with it is shown where it is', async () => {
  await field().click();
  await page.keyboard.type('kind:co');
  await page.getByRole('option', { name: /^Core/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await counted('13 of 28 cases');
  assert.equal(await field().inputValue(), 'kind:Core');
  assert.match(page.url(), /find=kind:Core/);
  // At once: of what is typed slowly, each beginning that can be read is put in force.
  await page.keyboard.insertText(' score<');
  await page.getByText('A number is missing here').waitFor();
  assert.equal(await field().getAttribute('aria-invalid'), 'true');
  assert.match(page.url(), /find=kind:Core$/, 'a filter that cannot be read is not put in force');
  assert.deepEqual(await h.axe(page), []);
  await clear();
});

test('what cannot be read greys the rows, is told below the field, and is mended with one click', async () => {
  await field().fill('outcom:failed');
  await page.getByText('There is no field').waitFor();
  assert.match(await page.locator('#case-grid').getAttribute('class'), /is-stale/);
  assert.equal(await page.locator('.page-head__count').innerText(), '28 cases', 'the rows stay');
  await field().press('Alt+ArrowDown');
  const below = await page.evaluate(() => {
    const [error, options] = ['case-filter-error', 'case-options'].map((id) => document.getElementById(id).getBoundingClientRect());
    return options.height === 0 || options.top >= error.bottom;
  });
  assert.ok(below, 'completions do not cover the error');
  await page.getByRole('button', { name: 'outcome', exact: true }).click();
  await counted('7 of 28 cases');
  assert.equal(await field().inputValue(), 'outcome:failed');
  assert.doesNotMatch(await page.locator('#case-grid').getAttribute('class'), /is-stale/);
  await field().fill('failed');
  await page.locator('.case-hint').getByRole('button', { name: 'outcome:failed' }).click();
  await counted('7 of 28 cases');
  await clear();
});

test('presets are one click away and say how many cases they keep', async () => {
  const failed = page.getByRole('button', { name: 'Failed 7' });
  await failed.click();
  await counted('7 of 28 cases');
  await page.locator('#preset-failed[aria-pressed=true]').waitFor();
  assert.equal(await field().inputValue(), 'outcome:failed');
  await page.getByRole('button', { name: 'All 28' }).click();
  await counted(/^28 cases$/);
});

test('a case stands beside the table, follows the marked row, and is opened by Enter', async () => {
  await page.locator('#preset-failed').click();
  await counted('7 of 28 cases');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await preview.getByText('1 of 7', { exact: true }).waitFor();
  await preview.getByText('Failed').first().waitFor();
  const first = await preview.getByRole('heading', { level: 2 }).innerText();
  await preview.getByRole('button', { name: 'Next case' }).click();
  await preview.getByText('2 of 7', { exact: true }).waitFor();
  await page.waitForFunction((old) => document.querySelector('.preview h2')?.innerText !== old, first);
  assert.deepEqual(await h.axe(page), []);
  await page.locator('#case-row-3').click();
  await preview.getByText('4 of 7', { exact: true }).waitFor();
  await page.locator('#case-grid').focus();
  await page.keyboard.press('Enter');
  await page.locator('.case h1').waitFor();
  await page.keyboard.press('Escape');
  // It is remembered until it is closed.
  await page.getByRole('complementary', { name: 'Preview' }).getByRole('button', { name: 'Close the preview' }).click();
  assert.equal(await kept('case-preview'), 'off');
});

test('facets and the filter are two views of one thing', async () => {
  await page.locator('.facet__value').filter({ hasText: 'failed' }).click();
  await counted('7 of 28 cases');
  assert.equal(await field().inputValue(), 'outcome:failed');
  await page.waitForFunction(() => document.activeElement?.id === 'facet-outcome-failed', null, { timeout: 2_000 });
  assert.equal(await page.locator('#facet-outcome-failed').isChecked(), true);
  await page.locator('#range-score-high').fill('0.5');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.getElementById('case-search').value === 'outcome:failed score<=0.5');
  await field().fill('kind:Core');
  await page.locator('#facet-kind-Core:checked').waitFor();
  await clear();
});

test('columns sort one within the other, grow, move and are remembered', async () => {
  await page.getByRole('columnheader', { name: 'Group' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Group' }).and(page.locator('[aria-sort="ascending"]')).waitFor();
  await page.getByRole('columnheader', { name: 'Score' }).getByRole('button').click({ modifiers: ['Shift'] });
  await page.getByRole('columnheader', { name: 'Score' }).and(page.locator('[aria-sort="ascending"]')).waitFor();
  assert.match(page.url(), /by=group,score/);
  assert.equal(await focused(), 'case-sort-score', 'the heading keeps the focus');
  await page.keyboard.press('Shift+ArrowRight');
  assert.match(await kept('case-widths'), /^score:\d+$/);
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await page.waitForFunction(() => /^score,id/.test(localStorage['evalglass-case-columns'] ?? ''));
  await page.waitForFunction(() => document.activeElement?.id === 'case-sort-score', null, { timeout: 2_000 });
  await page.getByRole('columnheader', { name: 'Case' }).dragTo(page.getByRole('columnheader', { name: 'Kind' }));
  await page.waitForFunction(() => /kind,id/.test(localStorage['evalglass-case-columns']));
  const handle = await page.locator('#case-edge-group').boundingBox();
  await page.mouse.move(handle.x + 4, handle.y + 8);
  await page.mouse.down();
  await page.mouse.move(handle.x + 84, handle.y + 8, { steps: 4 });
  await page.mouse.up();
  assert.match(await kept('case-widths'), /group:\d+/);

  await page.getByRole('button', { name: 'Columns' }).click();
  assert.deepEqual(await h.axe(page), []);
  await page.getByRole('checkbox', { name: 'Kind' }).uncheck();
  await page.getByRole('button', { name: 'Group earlier' }).click();
  await page.waitForFunction(() => !/kind/.test(localStorage['evalglass-case-columns']));
  await h.focused(page, (it) => it?.title === 'Group earlier');
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('columnheader', { name: 'Kind' }).waitFor();
  assert.equal(await kept('case-columns'), '');
});

test('a metric is a column of its own, which sorts and stands in the address', async () => {
  await page.close();
  page = await h.openPage(env, { viewport: { width: 1440, height: 860 } });
  await h.openFolder(page, join(h.fixtures, 'letta-evals/0.25.1_reward'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await h.go(page, 'Cases');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'quality' }).check();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  const head = page.getByRole('columnheader', { name: 'quality' });
  await head.getByRole('button').click();
  await head.and(page.locator('[aria-sort="ascending"]')).waitFor();
  await page.waitForFunction(() => /columns=[^&]*metric-2/.test(location.hash) && /by=metric-2/.test(location.hash));
  const at = Number(await head.getAttribute('aria-colindex'));
  const ofColumn = `#case-grid [role=row] [role=gridcell]:nth-child(${at})`;
  // The head says at once what the rows say when they have come.
  await page.waitForFunction((ofColumn) => {
    const shown = [...document.querySelectorAll(ofColumn)].map((cell) => Number(cell.innerText)).filter(Number.isFinite);
    return shown.length > 5 && shown.every((score, nth) => nth === 0 || shown[nth - 1] <= score);
  }, ofColumn);
  const cells = page.locator(ofColumn);
  const scores = (await cells.allInnerTexts()).map(Number).filter(Number.isFinite);
  assert.ok(scores.length > 5);
  assert.deepEqual(scores, [...scores].sort((a, b) => a - b));
});

test('texts of the cases are columns that come after the rows, and a link opens them again', async () => {
  await page.close();
  const folder = join(h.fixtures, 'letta-evals/guide_shape');
  const rows = [1, 2, 3].flatMap((run) => readFileSync(join(folder, `run_${run}/results.jsonl`), 'utf8').trim().split('\n')).map((line) => JSON.parse(line));
  const answers = (id) => rows.filter((row) => String(row.sample.id) === id).map((row) => row.submission || '–');
  const opened = async (query) => {
    const on = await h.openPage(env, { viewport: { width: 1440, height: 860 }, query });
    await h.openFolder(on, folder);
    assert.equal(await h.waitFor(on, 'ready', 'failed'), 'ready');
    return on;
  };
  const head = (on, name) => on.getByRole('columnheader', { name, exact: true });
  /** Waits until the texts of the first rows are here, and holds them against the files. */
  const areThoseOfTheFiles = async (on) => {
    await on.locator('#case-row-0').getByText(/^What is/).waitFor();
    const places = await Promise.all(['Input', 'Answer'].map(async (name) => Number(await head(on, name).getAttribute('aria-colindex'))));
    const said = await on.evaluate((places) => [...document.querySelectorAll('#case-grid .grid__body [role=row]')].map((row) => ({
      id: row.querySelector('.grid__id').innerText.trim(), texts: places.map((at) => row.children[at - 1].innerText.trim()),
    })), places);
    assert.ok(said.length > 7, `${said.length} rows`);
    for (const { id, texts: [input, answer] } of said) {
      assert.equal(input, `What is ${id}+${id}?`);
      assert.ok(answers(id).includes(answer), `${id}: ${answer}`);
    }
  };

  page = await opened('');
  await h.go(page, 'Cases');
  await page.locator('#case-row-0').waitFor();
  assert.equal(await head(page, 'Input').count(), 0, 'never by themselves');
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['Input', 'Answer']) await page.getByRole('dialog').getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.waitForFunction(() => /columns=[^&]*input,answer/.test(location.hash));
  await areThoseOfTheFiles(page);
  assert.equal(await head(page, 'Input').getByRole('button').count(), 0, 'nothing is sorted by texts');
  assert.equal(await head(page, 'Input').getAttribute('aria-sort'), null);
  assert.deepEqual(await h.axe(page), []);
  await h.picture(page, 'case-texts');
  await page.getByRole('columnheader', { name: /^Score/ }).getByRole('button').focus();
  for (let i = 0; i < 8 && await focused() !== 'case-sort-input'; i += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+ArrowRight');
  assert.match(await kept('case-widths'), /^input:\d+$/, 'its heading is reached and widened by key');
  // In another order they stand beside their cases again.
  await page.getByRole('columnheader', { name: /^Case/ }).getByRole('button').click();
  await page.getByRole('columnheader', { name: /^Case/ }).and(page.locator('[aria-sort="ascending"]')).waitFor();
  await page.locator('#case-row-1 .grid__id').filter({ hasText: /^0$/ }).waitFor();
  await areThoseOfTheFiles(page);

  const other = await opened(await page.evaluate(() => location.hash));
  await areThoseOfTheFiles(other);
  assert.deepEqual(other.problems, []);
  await other.context().close();
});

test('rows are selected by keyboard and copied', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('#case-grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await counted('28 cases, 3 selected');
  assert.equal(await page.locator('#case-grid [role=row][aria-selected=true]').count(), 3);
  await page.keyboard.press('Control+c');
  await page.getByText('Copied 3 rows.').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(text.trimEnd().split('\n').length, 4);
  assert.match(text, /^Case\t/);
  await page.keyboard.press('Escape');
  await counted(/^28 cases$/);
});

test('selected rows are exported alone', async () => {
  const scope = page.getByRole('menuitemcheckbox', { name: 'Only the 2 selected cases' });
  const exported = async (format) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: format }).click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  const menu = page.getByRole('button', { name: /^Export/ });
  await menu.click();
  assert.equal(await page.getByRole('menuitemcheckbox').count(), 1, 'without a selection there is no such scope');
  await page.keyboard.press('Escape');
  await field().fill('kind:Core');
  await counted('13 of 28 cases');
  await page.keyboard.press('Escape');
  // Rows of another order are drawn anew, and nothing is selected among them.
  const first = await page.locator('#case-row-0').elementHandle();
  await page.getByRole('columnheader', { name: 'Case' }).getByRole('button').click();
  await page.waitForFunction((row) => !row.isConnected, first);
  await page.locator('#case-row-0 .grid__id').waitFor();
  await page.locator('#case-grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await counted('13 of 28 cases, 2 selected');
  const shown = await page.locator('#case-grid [role=row][aria-selected=true] .grid__id').allInnerTexts();
  await menu.click();
  // By keyboard: up from the first format to the scope of rows, which takes turns with the other.
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'export-rows');
  await page.keyboard.press('Enter');
  assert.equal(await scope.getAttribute('aria-checked'), 'true');
  assert.deepEqual(await h.axe(page), []);
  await h.picture(page, 'export-rows');
  const ids = (text) => text.trimEnd().split('\n').map((line) => JSON.parse(line).id);
  assert.deepEqual(ids(await exported('Cases (JSONL)')), shown.map((text) => text.trim()));
  await page.locator('#case-grid').focus();
  await page.keyboard.press('Escape');
  await counted(/^13 of 28 cases$/);
  await menu.click();
  assert.equal(ids(await exported('Cases (JSONL)')).length, 28, 'without selected rows it is everything');
  await clear();
});

test('files are searched when somebody asks for it', async () => {
  await field().fill('text~assert');
  await page.getByRole('button', { name: 'Search the files' }).click();
  await counted('8 of 28 cases');
  await field().fill('-text~assert');
  await counted('20 of 28 cases');
  await clear();
});

test('a heat map opens a case from each cell', async () => {
  await page.getByRole('button', { name: 'Heat map' }).click();
  await page.locator('.heat__cell').first().waitFor();
  assert.match(page.url(), /view=heat/);
  assert.deepEqual(await h.axe(page), []);
  await page.locator('#case-grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.locator('.is-active-cell').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.match(page.url(), /view=heat&(case\.of=[^&]+&)?case\.run=[^&]+&case=./);
});
