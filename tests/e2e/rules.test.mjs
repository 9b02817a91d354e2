// Rules that the reader changes: every number follows, the address holds them, the export is the native program's, and the
// declared rules come back. Then: how a score was made, failures, statistics.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

const RULES = 'Policies & gates';
const strip = (page) => page.locator('.strip');
const main = (page) => page.getByRole('main');

async function open(folder, options) {
  const page = await h.openPage(env, options);
  await h.openFolder(page, join(h.fixtures, folder));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  return page;
}

/** The page's export is, byte for byte, what the native program prints under the same rules. */
async function sameExport(page, folder, rules) {
  const native = await h.nativeReport(...rules.flatMap((rule) => ['--rule', rule]), join(h.fixtures, folder));
  const { bytes } = await h.exportReport(page);
  if (!bytes.equals(native.bytes)) assert.deepEqual(JSON.parse(bytes.toString('utf8')), native.report, 'the exported report is the native one');
  return native.report;
}

/** axe finds nothing, and nothing is wider than the window. */
async function tidy(page, name) {
  await page.waitForTimeout(200);
  await h.picture(page, name);
  assert.deepEqual(await h.axe(page), [], `axe on ${name}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
}

test('a policy: banner, tree, tables, flips, address and export follow, and come back', async () => {
  const page = await open('slop-code/g1/runs');
  const failed = page.getByRole('complementary').locator('.outcome-mark--failed');
  const before = await failed.count();
  await h.go(page, RULES);
  assert.equal(await strip(page).innerText(), '');
  await page.getByLabel('Pass policy').selectOption('all-cases');
  await strip(page).getByText('policy all-cases').waitFor();
  assert.ok(await failed.count() > before, 'more runs fail in the tree');
  await main(page).getByRole('heading', { name: 'What changes' }).waitFor();
  // The flip list says why.
  await main(page).getByText(/policy all-cases: \d of \d+ cases pass: case /).first().waitFor();
  assert.match(page.url(), /set\.policy=all-cases/);
  const report = await sameExport(page, 'slop-code/g1/runs', ['policy=all-cases']);
  assert.ok(report.flips.length > 0);
  await h.go(page, 'Overview');
  await main(page).getByText(/every checkpoint by policy all-cases/).first().waitFor();
  await page.goBack();
  await page.getByLabel('Pass policy').waitFor();
  await page.getByRole('button', { name: 'Back to declared rules' }).click();
  await page.waitForFunction(() => document.querySelector('.strip').textContent === '');
  assert.equal(await failed.count(), before);
  await sameExport(page, 'slop-code/g1/runs', []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a checkpoint whose evaluation.json is broken has no verdict, and says why on every page', async () => {
  const temp = mkdtempSync(join(tmpdir(), 'evalglass-rules-'));
  try {
    const folder = join(temp, 'broken');
    cpSync(join(h.fixtures, 'slop-code/g2/v1.0/maple-3_20260430T1200'), folder, { recursive: true });
    writeFileSync(join(folder, 'inventory_api/checkpoint_2/evaluation.json'), '{"a":');
    const page = await h.openPage(env);
    await h.openFolder(page, folder);
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
    await main(page).getByText('1 of 3 checkpoints pass, 1 without a verdict').first().waitFor();
    await page.getByRole('treeitem').filter({ hasText: 'checkpoint_2' }).last().click();
    const why = 'the kinds of its cases are unknown, so no policy can be checked';
    await main(page).getByText(`No verdict: ${why}`).first().waitFor();
    await h.go(page, RULES);
    await main(page).getByRole('row', { name: /checkpoint_2/ }).getByRole('cell', { name: why, exact: true }).waitFor();
    await tidy(page, 'rules-no-kinds');
    // Another policy judges it no more than the first one.
    await page.getByLabel('Pass policy').selectOption('any-case');
    await strip(page).getByText('policy any-case').waitFor();
    await main(page).getByRole('row', { name: /checkpoint_2/ }).getByRole('cell', { name: why, exact: true }).waitFor();
    const { bytes } = await h.exportReport(page);
    const native = await h.nativeReport('--rule', 'policy=any-case', folder);
    assert.ok(bytes.equals(native.bytes), 'the exported report is the native one');
    assert.deepEqual(page.problems, []);
    await page.context().close();
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
});

test('weights: a group left out, then all of them', async () => {
  const page = await open('slop-code/g1/runs');
  await h.go(page, RULES);
  const weights = page.getByRole('group', { name: 'Weights of groups' });
  const fields = weights.getByRole('textbox');
  await fields.first().waitFor();
  const n = await fields.count();
  assert.ok(n > 3);
  await fields.first().fill('0');
  await fields.first().press('Enter');
  await strip(page).getByText(/weight of .* 0/).waitFor();
  for (let i = 1; i < n; i += 1) { await fields.nth(i).fill('0'); await fields.nth(i).press('Enter'); }
  await main(page).getByText('not defined by the rules in force').first().waitFor({ state: 'attached' });
  await fields.first().fill('-1');
  await fields.first().press('Enter');
  await strip(page).getByText('expected a weight of 0 or more').waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a gate is built, part by part, by keyboard, and judges REBEL as well', async () => {
  const page = await open('rebel/basic');
  await h.go(page, RULES);
  await page.getByRole('button', { name: 'Build a gate' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('As text').waitFor();
  await strip(page).getByText('gate avg_score(*) >= 0.8').waitFor();
  const shape = page.getByLabel('Kind of rule');
  await shape.first().focus();
  await shape.first().selectOption('any of');
  await page.getByRole('button', { name: 'Add condition' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'gate-shape', 'the focus stays in its field');
  const second = page.getByRole('group', { name: 'Part of the gate' }).last();
  await second.getByLabel('Aggregate').selectOption('accuracy');
  await second.getByLabel('Score that counts as right').waitFor();
  await second.getByLabel('Threshold', { exact: true }).fill('50');
  await second.getByLabel('Threshold', { exact: true }).press('Enter');
  const text = 'avg_score(*) >= 0.8 or accuracy(*, 1) >= 50';
  await page.waitForFunction((wanted) => document.querySelector('#gate-text').value === wanted, text);
  await sameExport(page, 'rebel/basic', [`gate=${text}`]);
  await page.getByLabel('As text').fill('min(*');
  await page.getByLabel('As text').press('Enter');
  await strip(page).getByText('expected ) at character 6').waitFor();
  await tidy(page, 'rules-gate');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('strategy, threshold and errors change the cases, and the flip list is a file', async () => {
  const page = await open('rebel/basic');
  await h.go(page, RULES);
  await page.getByLabel('Attempts combined by').selectOption('max');
  await strip(page).getByText('strategy max').waitFor();
  await page.getByLabel('A case passes when its score is').fill('>= 0.5');
  await page.getByLabel('A case passes when its score is').press('Enter');
  await strip(page).getByText('its score is ≥ 0.5').waitFor();
  await page.getByLabel('Errors count').selectOption('left-out');
  await strip(page).getByText('errors left out').waitFor();
  const report = await sameExport(page, 'rebel/basic', ['strategy=max', 'pass=>= 0.5', 'errors=left-out']);
  const cases = report.flips.filter((flip) => flip.level === 'case');
  assert.ok(cases.length > 5);
  assert.match(await strip(page).innerText(), new RegExp(`${cases.length} cases change`));
  await page.getByRole('button', { name: /^Export/ }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Flip list (CSV)' }).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\r\n');
  assert.equal(lines.length, report.flips.length + 1);
  const link = main(page).getByRole('link', { name: cases[0].name, exact: true }).first();
  await link.click();
  await page.getByRole('heading', { name: cases[0].name }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a threshold is slid by keyboard, counts at once, and is in force once it stands still', async () => {
  const page = await open('slop-code/g1/runs');
  await h.go(page, RULES);
  const slider = page.getByRole('slider', { name: 'Threshold' });
  const field = page.getByLabel('A case passes when its score is');
  const count = page.locator('output');
  await slider.focus();
  const before = page.url();
  await page.keyboard.press('End');
  for (let i = 0; i < 5; i += 1) await page.keyboard.press('ArrowLeft');
  assert.equal(await field.inputValue(), '0.95');
  await page.waitForFunction(() => /^\d+ of \d+ cases and \d of \d checkpoints pass$/.test(document.querySelector('output').textContent));
  const tried = /^\d+ of \d+ cases/.exec(await count.innerText())[0];
  await strip(page).getByText('its score is ≥ 0.95').waitFor();
  await page.waitForFunction((words) => document.querySelector('output').textContent === `${words} pass`, tried);
  assert.equal(await slider.inputValue(), '0.95');
  assert.equal(await page.evaluate(() => document.activeElement?.type), 'range', 'the focus stays in the slider');
  await page.keyboard.press('ArrowLeft');
  await strip(page).getByText('its score is ≥ 0.94').waitFor();
  // Sliding on is the same step of the history.
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('.strip').textContent === '');
  assert.equal(page.url(), before);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

// Questions to the worker wait while `hold` is on.
const HOLD = () => {
  const posts = { held: [], hold: false };
  const own = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function post(...message) {
    if (posts.hold) posts.held.push(() => own.apply(this, message)); else own.apply(this, message);
  };
  posts.release = () => { posts.hold = false; for (const post of posts.held.splice(0)) post(); };
  Object.defineProperty(window, '__posts', { value: posts });
};

test('a late answer does not replace what is being typed', async () => {
  const page = await open('rebel/basic', { init: HOLD });
  await h.go(page, RULES);
  const gate = page.getByLabel('As text');
  await gate.fill('avg_score(*) >= 0.5');
  await page.evaluate(() => { window.__posts.hold = true; });
  await gate.press('Enter');
  await page.waitForFunction(() => window.__posts.held.length > 0);
  await page.keyboard.type(' and p95(*) > 0.1');
  await page.evaluate(() => window.__posts.release());
  await strip(page).getByText('gate avg_score(*) >= 0.5').waitFor();
  assert.equal(await gate.inputValue(), 'avg_score(*) >= 0.5 and p95(*) > 0.1');
  await gate.press('Enter');
  await strip(page).getByText('gate avg_score(*) >= 0.5 and p95(*) > 0.1').waitFor();
  assert.deepEqual(page.problems, []);
});

test('what is not understood is said at its field, and the rules are copied as a command', async () => {
  const page = await open('slop-code/g1/runs', { permissions: ['clipboard-read', 'clipboard-write'] });
  await h.go(page, RULES);
  const said = async (field) => {
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    return page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).innerText();
  };
  const gate = page.getByLabel('As text');
  assert.equal(await gate.getAttribute('aria-invalid'), null);
  await gate.fill('min(*');
  await gate.press('Enter');
  await page.locator('#gate-text[aria-invalid]').waitFor();
  assert.equal(await said(gate), 'Not understood: expected ) at character 6');
  const weight = page.getByRole('group', { name: 'Weights of groups' }).getByRole('textbox').first();
  assert.equal(await weight.inputValue(), '1', 'a weight shows what is in force');
  await weight.fill('-1');
  await weight.press('Enter');
  await page.locator('[id^="rule-weight"][aria-invalid]').waitFor();
  assert.equal(await said(weight), 'Not understood: expected a weight of 0 or more');
  await weight.fill('0.5');
  await weight.press('Enter');
  await page.locator('[id^="rule-weight"][aria-invalid]').waitFor({ state: 'detached' });
  await page.getByLabel('Pass policy').selectOption('all-cases');
  await strip(page).getByText('policy all-cases').waitFor();
  const changes = page.getByRole('region', { name: 'What changes' });
  await changes.getByText('policy all-cases').waitFor();
  await page.getByRole('button', { name: 'Copy as report command' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^cargo run --release --example report -- --rule weight:\w+=0\.5 --rule policy=all-cases runs$/);
  await changes.getByRole('link').first().click();
  await page.waitForFunction(() => !/rules/.test(location.hash.split('?')[0]) || /of=/.test(location.hash));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('an address with rules puts them in force before anything is opened', async () => {
  const page = await h.openPage(env, { query: '#1/rules?set.policy=any-case&set.nonsense=1' });
  await h.openFolder(page, join(h.fixtures, 'slop-code/g1/runs'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await strip(page).getByText('policy any-case').waitFor();
  await strip(page).getByText('no such rule').waitFor();
  assert.equal(await page.getByLabel('Pass policy').inputValue(), 'any-case');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a score is taken apart: checkpoint, group, case', async () => {
  const page = await open('slop-code/g1/runs');
  await page.getByRole('treeitem', { name: /ledger_sync \/ checkpoint_1/ }).click();
  await main(page).getByTitle('Score breakdown').first().click();
  await main(page).getByRole('heading', { level: 1, name: /Score breakdown/ }).waitFor();
  assert.match(await main(page).innerText(), /Σ/);
  await tidy(page, 'how-run');
  await main(page).getByRole('table').last().getByRole('link').first().click();
  await page.waitForFunction(() => /how=group:/.test(location.hash));
  await main(page).getByRole('table').last().getByRole('link').first().waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !/how=/.test(location.hash));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [colorScheme, viewport] of [['light', { width: 1440, height: 900 }], ['dark', { width: 390, height: 844 }]]) {
  test(`failures, statistics and rules in ${colorScheme} at ${viewport.width}`, async () => {
    for (const folder of ['slop-code/g2', 'letta-evals/0.26.0_reward_multirun', 'letta-evals/0.15.0_logical_multirun', 'rebel/edge']) {
      const page = await open(folder, { colorScheme, viewport });
      const name = `${folder.replaceAll('/', '-')}-${colorScheme}`;
      for (const view of ['Failures', RULES, 'Statistics', 'Audit', 'Notes']) {
        await h.go(page, view);
        await main(page).getByRole('heading', { level: 1, name: view }).waitFor();
        await tidy(page, `${name}-${view}`);
      }
      if (!folder.includes('g2')) {
        await h.go(page, 'Statistics');
        await main(page).getByRole('heading', { name: 'pass@k', exact: true }).waitFor();
      }
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
  });
}

test('a failure of the list opens its case', async () => {
  const page = await open('slop-code/g2');
  await h.go(page, 'Failures');
  // The first link of a row looks for the message, the others are example cases.
  const example = main(page).getByRole('table', { name: 'Failing cases by message', exact: true }).getByRole('row').nth(1).getByRole('link').last();
  const id = (await example.innerText()).trim();
  await example.click();
  await page.getByRole('heading', { name: id }).first().waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
