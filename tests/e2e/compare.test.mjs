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
  const first = await sides(page).first().innerText();
  const before = await verdict(page).locator('.verdict-plot__words b').innerText();
  await page.getByRole('button', { name: 'Swap A and B' }).click();
  await page.waitForFunction((old) => document.querySelector('.side-card__name').textContent !== old, first.split('\n')[1]);
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

test('two slop-code run directories, checkpoint by checkpoint', async () => {
  const page = await compared([folder('slop-code', 'g2', 'v1.0'), folder('slop-code', 'g2', 'feeab5a')]);
  // What was opened first is the baseline.
  await page.locator('.side-card__name').nth(1).waitFor();
  assert.deepEqual(await page.locator('.side-card__name').allInnerTexts(), ['maple-3_20260430T1200', 'maple-2_20260115T0930']);
  await page.getByRole('region', { name: 'Configuration' }).waitFor();
  await page.getByRole('main').getByText('Checkpoints', { exact: true }).waitFor();
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
  await verdict(page).getByText('Nothing pairs: the sides have no case in common.').waitFor();
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
