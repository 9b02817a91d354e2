// Other tools' results, as their users go through them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

/** A page with these folders of the fixtures open. */
async function opened(...folders) {
  const page = await h.openPage(env);
  await h.drop(page, ...folders.map((folder) => join(h.fixtures, folder)));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  return page;
}

/** Nothing is wrong with the page; it is closed. */
async function closed(page, name) {
  await page.waitForTimeout(150);
  await h.picture(page, `guests-${name}`);
  assert.deepEqual(await h.axe(page), [], `axe on ${name}`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

test('Inspect AI: from the log to the tool call that failed', async () => {
  const page = await opened('inspect-ai/0.3.285/agentic');
  await page.getByText('Inspect AI has no rule that passes or fails a log').first().waitFor();
  await h.go(page, 'Cases');
  await page.getByRole('row').filter({ hasText: 'tool-error' }).first().click();
  await page.getByRole('heading').filter({ hasText: 'tool-error' }).first().waitFor();
  await page.getByText('access to «forbidden» is denied').first().waitFor();
  await closed(page, 'inspect');
});

// In the page a reader is handed only the files that a case is read from.
test('what lies beside a record is on the page of its case', async () => {
  for (const [folder, row, id, ...words] of [
    ['inspect-ai/0.3.285/chunked', /tool-error/, 'tool-error', 'access to «forbidden» is denied'],
    ['harbor/made/job-0.22', /fix-git[^]*terminus-2/, 'fix-git', 'I look around first.', 'test-stdout.txt'],
    ['swebench/5.0.2', /psf__requests-13202/, 'psf__requests-13202', 'Could not resolve host: pypi.org'],
  ]) {
    const page = await opened(folder);
    await h.go(page, 'Cases');
    await page.getByRole('row').filter({ hasText: row }).first().click();
    await page.getByRole('heading').filter({ hasText: id }).first().waitFor();
    for (const text of words) await page.getByText(text).first().waitFor();
    await closed(page, `beside-${folder.split('/')[0]}`);
  }
});

test('JUnit: a test that passed at its third try is one case with three attempts', async () => {
  const page = await opened('junit/pytest-reruns');
  assert.equal((await h.status(page)).cases, 8);
  await h.go(page, 'Cases');
  await page.getByRole('row').filter({ hasText: 'test_flaky' }).first().click();
  await page.getByRole('heading').filter({ hasText: 'test_flaky' }).first().waitFor();
  await page.getByText('2 of 3 failed').first().waitFor();
  await page.getByText('Attempt 3').first().waitFor();
  await closed(page, 'junit');
});

test('promptfoo: the same provider with two prompts, compared', async () => {
  const page = await opened('promptfoo/0.123.1/main/results.json');
  await h.go(page, 'Compare');
  const names = page.locator('.side-card__name');
  await names.nth(5).waitFor();
  // Sides of one evaluation are named by what tells them apart.
  assert.deepEqual((await names.allInnerTexts()).slice(0, 2), ['[echo] short', '[echo] careful, long']);
  for (const other of ['[echo] short', '[echo] careful, long', '[canned-lo] short', '[canned-lo] careful, long']) {
    const n = await names.count();
    await page.getByRole('button', { name: new RegExp(`^Remove.*${other.replace(/[[\]]/g, '\\$&')}$`) }).click();
    await page.waitForFunction((wanted) => document.querySelectorAll('.side-card__name').length === wanted, n - 1);
  }
  assert.deepEqual(await names.allInnerTexts(), ['[canned-hi] short', '[canned-hi] careful, long']);
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByText('over 13 pairs').waitFor();
  assert.match(await verdict.innerText(), /−15\.4 points in the pass rate/);
  await closed(page, 'promptfoo');
});

test('eight tools at once: each is read as its own', async () => {
  const folders = [
    'inspect-ai/0.3.285/mc', 'promptfoo/0.123.1/small_repeat', 'lm-eval/0.4.13/dummy', 'lighteval/0.13.0',
    'swebench/5.0.2', 'deepeval/4.3.1/conversational', 'openai-evals/3.0.1.post1', 'helm/0.5.16',
  ];
  const native = await h.nativeReport(...folders.map((folder) => join(h.fixtures, folder)));
  const tools = new Set(native.report.evaluations.map((one) => one.producer));
  assert.equal(tools.size, 8, [...tools].join(', '));
  const page = await opened(...folders);
  assert.equal((await h.status(page)).runs, native.report.runs.length);
  for (const view of ['Overview', 'Cases', 'Audit', 'Notes']) {
    await h.go(page, view);
    await page.waitForTimeout(200);
    await h.picture(page, `guests-eight-${view}`);
    assert.deepEqual(await h.axe(page), [], `axe on ${view}`);
  }
  await closed(page, 'eight');
});

test('the start page names every tool', async () => {
  const page = await h.openPage(env);
  const chips = page.locator('.start__chips li');
  await chips.first().waitFor();
  const registry = readFileSync(join(h.root, 'src/readers/mod.rs'), 'utf8').split('registry![')[1].split('\n];')[0];
  const names = [...registry.matchAll(/\w+::\w+,\s*"([^"]+)"/g)].map((found) => found[1]);
  assert.ok(names.length >= 18, names.join(', '));
  assert.equal(await chips.count(), names.length);
  await closed(page, 'start');
});
