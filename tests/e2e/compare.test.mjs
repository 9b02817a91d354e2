// Two sides or more against each other: who is better, where, and whether it can be believed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { axe, drop, fixtures, go, openPage, picture, start, waitFor } from './harness.mjs';

let env;
before(async () => { env = await start(); });
after(() => env.stop());

const folder = (...parts) => join(fixtures, ...parts);

/** The page with these folders open, at Compare. */
async function compared(paths, options = {}) {
  const page = await openPage(env, { viewport: { width: 1440, height: 900 }, ...options });
  for (const path of paths) {
    await drop(page, path);
    await waitFor(page, 'ready');
  }
  await go(page, 'Compare');
  await page.getByRole('region', { name: 'Sides' }).waitFor();
  return page;
}

const verdict = (page) => page.getByRole('region', { name: 'Verdict' });
const sides = (page) => page.getByRole('region', { name: 'Sides' }).getByRole('listitem');
const pairs = (page) => page.getByRole('region', { name: 'Pairs', exact: true });
const rows = (page) => pairs(page).locator('tbody tr');

/** Waits until the list of pairs says this of itself. */
async function counted(page, words) {
  const said = page.locator('#pairs-count');
  await said.filter({ hasText: words instanceof RegExp ? words : new RegExp(`^${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) }).waitFor();
}

/** Compares these, by their words in the list, instead of what stands there. */
async function choose(page, ...names) {
  const cards = page.locator('.side-card');
  const n = (wanted) => page.waitForFunction((count) => document.querySelectorAll('.side-card').length === count, wanted);
  // What suggests itself comes after the page.
  let before = -1;
  for (let now = await cards.count(); now !== before; now = await cards.count()) { before = now; await page.waitForTimeout(500); }
  for (const [at, name] of names.entries()) {
    await page.locator('#add-side').selectOption({ label: name });
    await n(before + at + 1);
  }
  for (let left = before; left > 0; left -= 1) {
    await page.getByRole('button', { name: /^Remove: A / }).click();
    await n(names.length + left - 1);
  }
}

test('two letta-evals folders: verdict, swap, margin, a cell of the matrix, a copied link', async () => {
  const page = await compared([folder('letta-evals', '0.3.2_single'), folder('letta-evals', '0.5.0_single')]);
  await choose(page, ...(await page.locator('#add-side optgroup').evaluateAll((groups) => groups.map((group) => group.querySelector('option').textContent))));
  await verdict(page).getByText(/10 pairs by/).waitFor();
  await verdict(page).getByText('Cannot tell').waitFor();
  assert.match(await verdict(page).innerText(), /10 pairs by the id alone/);
  assert.match(page.url(), /#\/2\/compare\?(of=[^&]*&)?side=letta-evals/);
  assert.equal(await sides(page).count(), 2);
  const first = await page.locator('.side-card__name').first().textContent();
  const before = await verdict(page).locator('.verdict-plot__words b').innerText();
  await page.getByRole('button', { name: 'Swap A and B' }).click();
  await page.waitForFunction((old) => document.querySelector('.side-card__name').textContent !== old, first);
  const mirrored = (words) => words.replace(/[+−]/, (sign) => (sign === '+' ? '−' : '+'));
  await page.waitForFunction((wanted) => document.querySelector('.verdict-plot__words b')?.textContent === wanted, mirrored(before));

  await page.locator('#margin').fill('1');
  await page.locator('#margin').press('Enter');
  await verdict(page).getByText('No difference beyond').waitFor();
  assert.match(page.url(), /margin=1/);

  const cell = page.getByRole('region', { name: 'Outcomes' }).getByRole('link').first();
  const n = Number((await cell.innerText()).split('\n')[0]);
  await cell.click();
  await page.waitForFunction(() => document.activeElement?.id === 'pairs');
  await page.waitForFunction((wanted) => document.querySelectorAll('.pairs tbody tr').length === wanted, n);
  assert.equal(await cell.getAttribute('aria-current'), 'true');
  const link = page.url();
  assert.match(link, /change=\w+:\w+/);

  const other = await openPage(env, { viewport: { width: 1440, height: 900 }, query: link.slice(link.indexOf('#')) });
  await drop(other, folder('letta-evals', '0.3.2_single'));
  await waitFor(other, 'ready');
  await other.getByText('This link leads to').waitFor();
  await drop(other, folder('letta-evals', '0.5.0_single'));
  await waitFor(other, 'ready');
  await verdict(other).getByText('No difference beyond').waitFor();
  assert.equal(await rows(other).count(), n);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(page.problems, []);
});

test('two models of one folder suggest themselves', async () => {
  const page = await compared([folder('letta-evals', '0.25.1_reward')]);
  await verdict(page).waitFor();
  const names = await page.locator('.side-card__name').allInnerTexts();
  assert.ok(names.length >= 2 && names.some((name) => name.includes('gpt-4.1-mini')), names.join(', '));
  assert.ok(await rows(page).count() > 0);
  assert.deepEqual(page.problems, []);
});

test('two slop-code run directories: figures, checkpoint by checkpoint, a group, a cell', async () => {
  const page = await compared([folder('slop-code', 'g2', 'v1.0'), folder('slop-code', 'g2', 'feeab5a')]);
  const names = page.locator('.side-card__name');
  await names.nth(1).waitFor();
  // Whichever suggests itself as the baseline.
  if ((await names.first().innerText()).includes('maple-3')) {
    await page.getByRole('button', { name: 'Swap A and B' }).click();
    await page.waitForFunction(() => document.querySelector('.side-card__name').textContent.startsWith('maple-2'));
  }
  await verdict(page).getByText('0 points in the pass rate').waitFor();
  const says = (await verdict(page).innerText()).replaceAll('\n', ' ');
  for (const words of [
    'over 27 pairs: 0 fixed, 0 regressed', 'changes by −0.024 (from 0.722 to 0.699; 95 % −0.034 to −0.005, by the bootstrap over cases)', '27 pairs by suite, group and id', '1 only in A',
    '1 only in B', '7 pairs without a result on a side',
  ]) assert.ok(says.includes(words), `${words}: ${says}`);
  const checkpoint = page.getByRole('region', { name: 'Checkpoints' }).getByRole('row', { name: /checkpoint_2/ });
  assert.match(await checkpoint.innerText(), /0\.633 → 0\.562\s+47\.1 % → 47\.1 %/);
  assert.match(await page.getByRole('region', { name: 'Configuration' }).innerText(), /format version\s+version\s+G2c\s+G2d/);
  // An interval that is not there says why.
  assert.match(await page.getByRole('region', { name: /^Differences/ }).getByRole('row', { name: /^Score/ }).innerText(), /no pair differs/);

  await page.getByRole('region', { name: 'Where it comes from: by group' }).getByRole('link', { name: 'checkpoint_1-Regression' }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'pairs');
  await counted(page, '9: group “checkpoint_1-Regression”');
  assert.match(page.url(), /within=group:checkpoint_1-Regression/);
  for (const place of await page.locator('.pairs__place').allInnerTexts()) assert.match(place, /checkpoint_1-Regression$/);
  assert.deepEqual(await axe(page), []);

  const cell = page.getByRole('region', { name: 'Outcomes' }).getByRole('link', { name: /^13/ });
  await cell.click();
  await counted(page, '13: passed on A, passed on the candidate');
  assert.equal(await rows(page).count(), 13);
  assert.equal(await cell.getAttribute('aria-current'), 'true');
  assert.deepEqual(page.problems, []);
});

test('two transcripts: from the list to where they first go apart', async () => {
  const page = await compared([folder('letta-evals', '0.5.0_single')]);
  await page.locator('#pair-order').selectOption({ label: 'As in the files' });
  await rows(page).first().getByRole('link').click();
  const steps = page.getByRole('region', { name: 'Transcripts' });
  await steps.getByRole('button', { name: 'First divergence' }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'first-divergence');
  assert.match(await page.locator('#first-divergence').innerText(), /^First divergence, step \d+: (both have it, with different content|only A has it|only the candidate has it)\.$/);
  const seen = await page.locator('#first-divergence').evaluate((head) => {
    const { top, bottom } = head.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.ok(seen, 'it is in sight');
  // What stands before it is alike, and folded.
  assert.match(await steps.locator('.pair-steps > *').first().innerText(), /alike/);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(page.problems, []);
});

test('pairs have the filter of the cases, and words of their own', async () => {
  const page = await openPage(env, { viewport: { width: 1440, height: 900 } });
  await drop(page, folder('rebel', 'trend'));
  await waitFor(page, 'ready');
  await page.locator('#compare-previous').click();
  await counted(page, '16');
  // By keyboard alone: to the field, a completion, the rows.
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement?.id === 'case-search');
  await page.keyboard.type('reg');
  const option = page.getByRole('option', { name: /^change:regressed/ });
  assert.match(await option.innerText(), /2 pairs/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await counted(page, '2 of 16');
  assert.match(page.url(), /where=change:regressed/);
  assert.deepEqual(await axe(page), []);
  await page.keyboard.type(' side:B score<0.3');
  await page.waitForFunction(() => location.hash.includes('score'));
  await counted(page, /^[012] of 16$/);

  // What cannot be read keeps the rows, greyed, and is said; what was probably meant is a click away.
  await page.locator('#case-search').fill('chnage:fixed');
  await page.getByText('There is no field "chnage".').waitFor();
  assert.ok(await page.locator('#pair-rows').evaluate((rows) => rows.classList.contains('is-stale')));
  assert.deepEqual(await axe(page), []);
  await page.getByText('Did you mean').getByRole('button', { name: 'change' }).click();
  await page.waitForFunction(() => location.hash.includes('change:fixed') && !document.querySelector('#pair-rows').classList.contains('is-stale'));
  await counted(page, '1 of 16');
  await page.locator('#case-search').fill('delta>=-1 -change:same');
  await counted(page, '3 of 16');
  await page.locator('#pair-order').selectOption({ label: 'Largest difference first' });
  const link = page.url();

  // A pair is left for the next one of the list only.
  await rows(page).first().getByRole('link').click();
  await page.getByText('1 of 3', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.getByText('2 of 3', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.getByText('3 of 3', { exact: true }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Next', exact: true }).isDisabled());
  await page.keyboard.press('Escape');
  await counted(page, '3 of 16');

  const other = await openPage(env, { viewport: { width: 390, height: 844 }, query: link.slice(link.indexOf('#')) });
  await drop(other, folder('rebel', 'trend'));
  await waitFor(other, 'ready');
  await counted(other, '3 of 16');
  assert.equal(await other.locator('#case-search').inputValue(), 'delta>=-1 -change:same');
  const ends = await rows(other).first().locator('td').nth(2).evaluate((cell) => cell.getBoundingClientRect().right - innerWidth);
  assert.ok(ends <= 0, 'the difference is in sight');
  assert.deepEqual(await axe(other), []);

  await page.getByRole('button', { name: 'Show all pairs' }).click();
  await counted(page, '16');
  await page.getByLabel('Only different').check();
  await counted(page, '3: different');
  await go(page, 'Cases');
  await page.locator('#case-search').fill('change:regressed');
  await page.getByText('This asks about two sides').waitFor();
  assert.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Filter the pairs of a comparison' }).click();
  await counted(page, '2 of 16');
  assert.deepEqual(page.problems, []);
});

test('three sides: each pair on every side, and a filter that knows which two are looked at', async () => {
  const page = await openPage(env, { viewport: { width: 1440, height: 900 } });
  await drop(page, folder('rebel', 'trend'));
  await waitFor(page, 'ready');
  await page.locator('#compare-previous').click();
  await counted(page, '16');
  await page.locator('#add-side').selectOption('0');
  const candidates = page.getByRole('region', { name: 'Each side against A' });
  await candidates.waitFor();
  const heads = page.locator('.pairs__heads .side-token');
  await page.waitForFunction(() => document.querySelectorAll('.pairs__heads .side-token').length === 3);
  assert.deepEqual(await heads.allInnerTexts(), ['A', 'B', 'C']);
  assert.deepEqual(await axe(page), []);
  await candidates.getByRole('link', { name: /^C / }).click();
  await page.waitForFunction(() => document.querySelectorAll('.pairs__heads .side-token')[1]?.textContent === 'C');
  assert.deepEqual(await heads.allInnerTexts(), ['A', 'C', 'B']);
  for (const cell of await page.locator('.pairs td.pairs__other').allTextContents()) assert.match(cell, /passed|failed/);
  await page.locator('#case-search').fill('side:B outcome:failed');
  await page.getByText('"B" is not a known side; use one of A, C.').waitFor();
  await page.locator('#case-search').fill('side:C outcome:failed');
  await page.waitForFunction(() => /of 16$/.test(document.querySelector('#pairs-count').textContent));
  assert.ok(await rows(page).count() > 0);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(page.problems, []);
});

test('from Trends, and from a case to the same case elsewhere', async () => {
  const page = await openPage(env, { viewport: { width: 1440, height: 900 } });
  await drop(page, folder('rebel', 'trend'));
  await waitFor(page, 'ready');
  await page.keyboard.press('6');
  await page.getByRole('link', { name: 'Compare the two newest' }).click();
  await verdict(page).waitFor();
  assert.deepEqual(await page.locator('.side-card__name').allTextContents(), ['REBEL 20261121_201408 · run_1', 'REBEL 20261121_201410 · run_2']);
  await page.keyboard.press('2');
  // Enter opens a row, and rows come after the table.
  await page.locator('#case-row-0').waitFor();
  await page.locator('#case-grid').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /^Compare with / }).first().click();
  await page.getByRole('region', { name: 'Both sides' }).waitFor();
  assert.equal(await page.locator('.pair-sides li').count(), 2);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(page.problems, []);
});

test('REBEL over time: compare with previous from the side bar, a group, a regression', async () => {
  const page = await openPage(env, { viewport: { width: 1440, height: 900 } });
  await drop(page, folder('rebel', 'trend'));
  await waitFor(page, 'ready');
  await page.locator('#compare-previous').click();
  await verdict(page).waitFor();
  assert.equal(await sides(page).count(), 2);
  assert.deepEqual(await axe(page), []);
  await page.getByRole('navigation', { name: 'What changed' }).getByRole('link', { name: /^Regressed/ }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'pairs');
  await rows(page).first().getByRole('link').click();
  await page.getByRole('region', { name: 'Both sides' }).waitFor();
  assert.match(await page.getByRole('region', { name: 'Both sides' }).innerText(), /Outcome\s+passed\s+failed/);
  assert.match(page.url(), /case=test_topic_05.*change=regressed/);
  assert.deepEqual(await axe(page), []);
  await page.keyboard.press('j');
  await page.getByText('2 of 2', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await verdict(page).waitFor();
  await go(page, 'Overview');
  await page.locator('#compare-line').waitFor();
  assert.match(await page.locator('#compare-line').innerText(), /2 regressed, 1 fixed; −6\.3 points, 95 % .* cannot tell yet/);
  await page.locator('#compare-line').getByRole('link').click();
  await verdict(page).waitFor();
  assert.deepEqual(page.problems, []);
});

test('slop-code against REBEL: nothing pairs, and it is said in words', async () => {
  const page = await compared([folder('slop-code', 'g2', 'v1.0'), folder('rebel', 'basic')]);
  await choose(page, ...(await page.locator('#add-side optgroup').evaluateAll((groups) => {
    const first = (of) => groups.find((group) => of(group.querySelector('option').textContent));
    return [groups.at(0), groups.at(-1)].map((group) => group.querySelector('option').textContent);
  })));
  await verdict(page).getByText('No pairs: the sides have no case in common.').waitFor();
  assert.match(await verdict(page).innerText(), /only in A/);
  const alone = verdict(page).getByRole('link', { name: /only in A/ });
  const n = Number((await alone.innerText()).replace(/\D/g, ''));
  await alone.click();
  await page.waitForFunction((wanted) => document.querySelectorAll('.pairs tbody tr').length === Math.min(wanted, 50), n);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(page.problems, []);
});

test('by keyboard alone', async () => {
  const page = await openPage(env, { viewport: { width: 1440, height: 900 } });
  await drop(page, folder('letta-evals', '0.3.2_single'), folder('letta-evals', '0.5.0_single'));
  await waitFor(page, 'ready');
  await page.keyboard.press('c');
  await page.getByRole('region', { name: 'Sides' }).waitFor();
  await page.locator('#swap-sides').focus();
  const url = page.url();
  await page.keyboard.press('Enter');
  await page.waitForFunction((old) => location.href !== old, url);
  // What is drawn anew keeps the focus.
  await page.waitForFunction(() => document.activeElement?.id === 'swap-sides');
  await page.getByRole('region', { name: 'Outcomes' }).getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'pairs');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('compare with prev');
  await page.keyboard.press('Enter');
  await verdict(page).waitFor();
  assert.deepEqual(page.problems, []);
  await picture(page, 'compare');
});
