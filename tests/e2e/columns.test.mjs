// Columns of any table: guessed, chosen by keyboard, confirmed, remembered by the browser, named by a link, said by a file beside
// the data, forgotten. And a table in which nothing looks like a result.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

// The real score is `zork`; the guess takes `accuracy`, which is the tool's own. `took` is in milliseconds.
const ODD = 'nr,agent,frage,accuracy,zork,took\n'
  + ['north', 'south'].flatMap((agent) => [1, 2, 3, 4].map((n) => `${n},${agent},"what, of <b>${n}</b>?",0.5,${n === 4 ? '' : n / 4},${n * 1000}`)).join('\n');
// No column looks like a result.
const PLAIN = 'nr,frage,zork\na1,one,50\na2,two,100\na3,three,\n';

const folder = join(h.out, 'columns');
const write = (name, text) => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
};

const main = (page) => page.getByRole('main');
const line = (page) => main(page).locator('.columns-line');
const role = (page, column) => page.getByLabel(`Read as, column ${column}`, { exact: true });
const follows = (page, text) => main(page).locator('.columns__follows').getByText(text).waitFor();

async function open(page, ...paths) {
  await h.openFiles(page, ...paths);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
}

/** Presses `key` until the element that has the focus is called `name`. */
async function tabTo(page, name) {
  for (let n = 0; n < 80; n += 1) {
    const at = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim());
    if (at === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached by Tab`);
}

const focused = (page) => page.evaluate(() => document.activeElement?.id);

async function tidy(page, name) {
  await page.waitForTimeout(200);
  await h.picture(page, name);
  assert.deepEqual(await h.axe(page), [], `axe on ${name}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
}

test('of a column somebody says that lower is better, and pages follow', async () => {
  const page = await h.openPage(env);
  const rows = [['north', 1.5], ['south', 1.125]].flatMap(([agent, rate]) => Array.from({ length: 24 }, (_, n) => `c${n},${agent},${rate + (n % 5) / 32}`));
  await open(page, write('rates.csv', `id,agent,score\n${rows.join('\n')}\n`));
  await line(page).getByRole('link', { name: 'Check columns' }).click();
  const way = page.getByLabel('Better, column score', { exact: true });
  assert.equal(await way.inputValue(), 'more');
  await way.selectOption('less');
  await follows(page, /48 cases have a score, mean 1\.372.*; lower is better\./);
  await page.getByRole('button', { name: 'Use these columns' }).click();
  await page.getByText('From now on, files with these columns are read this way.').waitFor();
  assert.match(page.url(), /roles=id:id,agent:model,score:score\(less\)/);
  await page.keyboard.press('1');
  await main(page).getByText('Score (lower is better)').first().waitFor();
  await tidy(page, 'columns-less-is-better');
  await page.close();
});

test('a wrong guess is put right by keyboard, confirmed, remembered, linked and forgotten', async () => {
  const page = await h.openPage(env);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const odd = write('odd.csv', ODD);
  await open(page, odd);
  await line(page).getByText('Columns guessed.').waitFor();
  await tabTo(page, 'Check columns');
  await page.keyboard.press('Enter');
  await main(page).getByRole('heading', { name: 'Columns: odd.csv' }).waitFor();
  await follows(page, '8 cases in 2 runs: north, south.');
  await follows(page, '8 cases have a score, mean 0.500.');
  assert.equal(await role(page, 'accuracy').inputValue(), 'score');
  // Texts of the file are texts.
  await main(page).getByText('what, of <b>1</b>?').first().waitFor();
  await tidy(page, 'columns-guessed');
  // By keyboard; each change is read at once and keeps the focus.
  await tabTo(page, 'Read as, column accuracy');
  const field = await focused(page);
  await page.keyboard.type('fact');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  assert.equal(await role(page, 'accuracy').inputValue(), 'fact');
  assert.equal(await focused(page), field);
  await tabTo(page, 'Read as, column zork');
  await page.keyboard.type('score');
  await follows(page, '6 cases have a score, mean 0.500; 2 cases have none.');
  await tabTo(page, 'Unit, column took');
  await page.keyboard.type('milli');
  await follows(page, '8 cases have a duration, mean 2.5 s.');
  await main(page).getByText('Your choice applies for now.').waitFor();
  assert.equal(await role(page, 'zork').inputValue(), 'score');
  assert.doesNotMatch(page.url(), /roles=/);
  await page.keyboard.press('Shift+Tab');
  const use = page.getByRole('button', { name: 'Use these columns' });
  await use.focus();
  await page.keyboard.press('Enter');
  await page.getByText('From now on, files with these columns are read this way.').waitFor();
  assert.match(page.url(), /roles=nr:id,agent:model,frage,accuracy,zork:score,took:duration\(ms\)/);
  await main(page).getByText('These columns are read as you chose.').waitFor();
  assert.equal(await focused(page), 'columns-use');
  // A file that says the same, and the link.
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()]);
  assert.equal(download.suggestedFilename(), 'odd.columns.json');
  const saved = readFileSync(await download.path(), 'utf8');
  assert.deepEqual(JSON.parse(saved).columns[4], { name: 'zork', role: 'score' });
  await page.getByRole('button', { name: 'Copy link with columns' }).click();
  await page.getByText('Copied. The link needs').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  // The same file, on another day.
  await page.goto(env.url);
  await h.waitFor(page, 'idle');
  await open(page, odd);
  await line(page).getByText('Columns as you chose them.').waitFor();
  await line(page).getByRole('link', { name: 'Change' }).click();
  await follows(page, '6 cases have a score, mean 0.500; 2 cases have none.');
  // It is listed in the settings, and can be forgotten.
  await page.keyboard.press(',');
  await page.locator('#memory').getByText('what columns of tables are').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Guess again' }).click();
  await page.getByText('Your choice for these columns is forgotten.').waitFor();
  await follows(page, '8 cases have a score, mean 0.500.');
  assert.doesNotMatch(page.url(), /roles=/);
  assert.equal(await page.evaluate(() => localStorage.getItem('evalglass-columns') ?? ''), '');
  assert.deepEqual(page.problems, []);

  // Somebody else, with the link.
  const other = await h.openPage(env, { query: new URL(link).hash });
  await open(other, odd);
  await other.getByRole('main').locator('.columns__follows').getByText('6 cases have a score, mean 0.500; 2 cases have none.').waitFor();
  await h.go(other, 'Overview');
  await line(other).getByText('Columns as you chose them.').waitFor();
  assert.deepEqual(other.problems, []);

  // A file beside the data, of whatever name.
  const third = await h.openPage(env);
  write('run/odd.csv', ODD);
  write('run/how to read.json', saved);
  await h.openFolder(third, join(folder, 'run'));
  await h.waitFor(third, 'ready');
  await line(third).getByText('Columns as in run/how to read.json.').waitFor();
  await tidy(third, 'columns-file');
  assert.deepEqual(third.problems, []);
});

test('a table without a result is offered, and opened by a choice', async () => {
  const page = await h.openPage(env);
  await h.openFiles(page, write('plain.csv', PLAIN));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'failed');
  const choose = page.getByRole('button', { name: 'Choose columns of plain.csv' });
  await choose.waitFor();
  await tidy(page, 'columns-offered');
  await choose.focus();
  await page.keyboard.press('Enter');
  await main(page).getByRole('heading', { name: 'Columns: plain.csv' }).waitFor();
  await role(page, 'zork').selectOption('score');
  await follows(page, '2 cases have a score, mean 75; 1 case has none.');
  // Forgetting it would leave nothing: that is said, and it stays.
  await page.getByRole('button', { name: 'Guess again' }).click();
  await page.getByText(/^These columns could not be applied: /).waitFor();
  await role(page, 'zork').waitFor();
  await page.getByRole('button', { name: 'Use these columns' }).click();
  await page.getByText('From now on, files with these columns are read this way.').waitFor();
  // Beside other results it is offered among the notes.
  await h.openFiles(page, write('other.csv', PLAIN.replace('zork', 'gnu')));
  await h.waitFor(page, 'ready');
  await h.go(page, 'Notes');
  await page.getByRole('button', { name: 'Choose columns of other.csv' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('on a narrow screen columns are cards, in both themes', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const viewport of [{ width: 390, height: 844 }, { width: 1440, height: 900 }]) {
      const page = await h.openPage(env, { viewport, colorScheme });
      await open(page, write('odd.csv', ODD));
      await line(page).getByRole('link', { name: 'Check columns' }).click();
      await follows(page, '8 cases in 2 runs: north, south.');
      await tidy(page, `columns-${viewport.width}-${colorScheme}`);
      await page.context().close();
    }
  }
});

test('choices faster than reading: the last one holds', async () => {
  const page = await h.openPage(env);
  await open(page, write('odd.csv', ODD));
  await line(page).getByRole('link', { name: 'Check columns' }).click();
  await role(page, 'zork').waitFor();
  await page.evaluate(() => {
    const select = document.querySelector('[aria-label="Read as, column zork"]');
    for (const value of ['fact', 'cost', 'tokens', 'metric']) {
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
  await follows(page, /^2 metrics: |^1 metric: /);
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  assert.equal(await role(page, 'zork').inputValue(), 'metric');
  assert.deepEqual(page.problems, []);
});
