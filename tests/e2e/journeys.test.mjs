// From the start page to the cause of a failure, by keyboard alone: a benchmark's author, an agent's engineer, a test engineer.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

const title = (page, text) => page.getByRole('main').getByRole('heading', { level: 1 }).filter({ hasText: text }).waitFor();
const heading = (page, name) => page.getByRole('main').getByRole('heading', { name }).first().waitFor();
const tidy = async (page, where) => assert.deepEqual(await h.axe(page), [], `axe on ${where}`);

/** Opens a folder through the command palette. */
async function opened(folder, options) {
  const page = await h.openPage(env, options);
  await page.keyboard.press('Control+k');
  // The worker may still be loading, and a file dialog is only shown soon after a key.
  await page.locator('#palette-0').waitFor();
  await page.keyboard.type('open folder');
  // Without waiting for the list: Enter means what the words find.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(join(h.fixtures, folder));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  return page;
}

/** Presses Tab until the focus is on something of this name. */
async function tabTo(page, name) {
  for (let i = 0; i < 300; i += 1) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
    if (name.test(text.trim())) return;
  }
  assert.fail(`Tab never reached ${name}`);
}

/** Filters the cases and opens the first one that is kept. */
async function firstCase(page, filter) {
  await page.keyboard.press('/');
  await page.locator('#case-search:focus').waitFor();
  await page.keyboard.type(filter);
  // What was typed so far is a filter too: the rows have to be those of all of it.
  await page.waitForFunction((outcome) => {
    const rows = [...document.querySelectorAll('#case-grid .grid__body [role="row"]')];
    return rows.length > 0 && rows.every((row) => row.querySelector(`[title="${outcome}"]`));
  }, filter.replace('outcome:', ''));
  await page.locator('.page-head__count').filter({ hasText: ' of ' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#case-grid:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.case h1').waitFor();
}

for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark', viewport: { width: 390, height: 844 } }]) {
  const look = `${options.colorScheme}, ${options.viewport?.width ?? 1280} px`;

  test(`a benchmark's author: why does this checkpoint fail (${look})`, async () => {
    const page = await opened('slop-code/g1/runs', options);
    await page.getByRole('region', { name: 'Verdict' }).getByText('failed:', { exact: true }).waitFor();
    await tidy(page, 'overview');
    // The cases that decide it are one key away, and back.
    const deciding = page.getByRole('list', { name: 'Cases that decide it' }).getByRole('link');
    const name = await deciding.first().innerText();
    await deciding.first().focus();
    await page.keyboard.press('Enter');
    await title(page, name);
    await page.goBack();
    await deciding.first().waitFor();
    await page.keyboard.press('3');
    await heading(page, /^Failures/);
    await tabTo(page, /^sum_unicode$/);
    await page.keyboard.press('Enter');
    await title(page, 'sum_unicode');
    await heading(page, 'Checks');
    // The weight, the wrong check, and the very words that differ.
    await page.getByText('1 of 2 failed').waitFor();
    await page.locator('mark, .diff ins, .diff del, [class*="diff"] [class*="word"]').first().waitFor();
    await tidy(page, 'case');
    await page.keyboard.press('j');
    await page.waitForFunction(() => !document.querySelector('.case h1')?.textContent.includes('sum_unicode'));
    await page.keyboard.press('Escape');
    await page.locator('#case-grid').waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test(`an agent's engineer: what went wrong in this sample (${look})`, async () => {
    const page = await opened('letta-evals/0.26.0_reward_multirun', options);
    await page.keyboard.press('5');
    await title(page, 'Statistics');
    await tidy(page, 'statistics');
    await page.keyboard.press('6');
    await title(page, 'Trends');
    await tidy(page, 'trends');
    await firstCase(page, 'outcome:error');
    await heading(page, /Failure/);
    await tidy(page, 'a case with an error');
    await page.keyboard.press('Escape');
    await page.locator('#case-grid').waitFor();
    await page.evaluate(() => document.getElementById('case-grid').focus());
    await page.keyboard.press('Home');
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test(`a test engineer: what would another strategy say (${look})`, async () => {
    const page = await opened('rebel/basic', options);
    await firstCase(page, 'outcome:failed');
    await heading(page, /Attempts/);
    await tidy(page, 'a case with attempts');
    await page.keyboard.press('4');
    await title(page, 'Policies & gates');
    const strategy = page.getByLabel('Attempts combined by');
    await strategy.focus();
    await strategy.press('End');
    await page.getByText('Rules changed:').waitFor();
    await page.keyboard.press('Escape');
    await tidy(page, 'changed rules');
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
