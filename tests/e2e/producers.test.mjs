// For every producer: drop the folder (and pick it), and the page says what the native program says, shows a failing case,
// exports the same bytes, passes axe, and asks the server for nothing.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const FOLDERS = [
  'slop-code/g1', 'slop-code/g2', 'slop-code/real/usage', 'slop-code/real/after_skill', 'guides/outputs',
  'letta-evals/0.4.1_multirun', 'letta-evals/0.9.0_weighted', 'letta-evals/0.15.0_logical_multirun', 'letta-evals/0.20.0_suite', 'letta-evals/0.25.1_reward',
  'rebel/basic', 'rebel/edge',
  'ctrf/pytest-9.2.0', 'deepeval/4.3.1', 'every-eval-ever/0.3.0', 'helm/0.5.16', 'inspect-ai/0.3.285/agentic', 'inspect-ai/0.3.285/killed',
  'junit/pytest-9.2.0', 'lighteval/0.13.0', 'lm-eval/0.4.13', 'openai-evals/3.0.1.post1', 'promptfoo/0.123.1',
  'pytest-json-report/pytest-9.2.0', 'swebench/5.0.2', 'harbor/made/job-0.22', 'table/pandas-3.1.1',
];

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

const failing = (report) => report.runs.flatMap((run) => run.cases).filter((c) => ['failed', 'error'].includes(c.outcome));
const sum = (report) => report.runs.reduce((n, run) => n + run.cases.length, 0);

// How a folder comes in has nothing to do with whose it is: both ways for some, one for the others.
const PICKED = /^(slop-code|guides|letta-evals|rebel|inspect-ai\/0\.3\.285\/agentic|table)/;

for (const folder of FOLDERS) {
  const path = join(h.fixtures, folder);
  for (const [how, open] of [['drop', h.drop], ['Open folder', h.openFolder]].slice(0, PICKED.test(folder) ? 2 : 1)) {
    test(`${folder} by ${how}`, { skip: !existsSync(path) && 'no such fixture' }, async () => {
      const native = await h.nativeReport(path);
      const page = await h.openPage(env);
      // The worker loads in the background; what is asked for after that counts.
      const before = await h.settled(env);
      await open(page, path);
      assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');

      const { runs, cases, text } = await h.status(page);
      assert.deepEqual({ runs, cases }, { runs: native.report.runs.length, cases: sum(native.report) }, text);
      const name = `${folder.replace('/', '-')}-${how.replace(' ', '-')}`;
      const pages = how === 'drop' ? ['Overview', 'Audit', 'Cases'] : ['Cases'];
      for (const view of pages) {
        await h.go(page, view);
        await page.waitForTimeout(150);
        await h.picture(page, `${name}-${view}`);
        assert.deepEqual(await h.axe(page), [], `axe on ${view}`);
      }

      const bad = failing(native.report);
      if (bad.length > 0) {
        const row = page.getByRole('row').filter({ hasText: /\b(failed|error)\b/i }).first();
        await row.waitFor();
        const shown = (await row.innerText()).replace(/\s+/g, ' ');
        await row.click();
        const ids = [...new Set(bad.map((c) => String(c.id)))];
        const heading = page.getByRole('heading').filter({ hasText: new RegExp(ids.map((id) => RegExp.escape?.(id) ?? id.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')) });
        await heading.first().waitFor({ timeout: 10_000 }).catch(() => assert.fail(`no heading names a failing case after a click on the row "${shown}"`));
        await page.waitForTimeout(150);
        await h.picture(page, `${name}-case`);
        assert.deepEqual(await h.axe(page), [], 'axe on the case');
      }

      const { name: file, bytes } = await h.exportReport(page);
      assert.equal(file, 'evalglass-report.json');
      if (!bytes.equals(native.bytes)) assert.deepEqual(JSON.parse(bytes.toString('utf8')), native.report, 'the exported report is the native one');
      assert.ok(bytes.equals(native.bytes), 'the exported report is the native one, byte for byte');

      assert.deepEqual(env.server.requests.slice(before), [], 'no request after load');
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}

test('a run whose agent crashed is not green: banner, state, what did not run, declared verdict', async () => {
  const page = await h.openPage(env);
  await h.drop(page, join(h.fixtures, 'slop-code/real/state_error'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await page.getByText(/1 of 2 checkpoints pass, 1 of 3 planned did not run, 1 ended in an error/).first().waitFor({ timeout: 10_000 });
  await page.getByText('Declared in the files: policy any: not passed.').first().waitFor();
  const state = page.getByRole('group', { name: 'Run state', exact: true });
  await state.getByText('AgentRunnerError', { exact: true }).waitFor();
  const trace = state.getByText(/raise AgentRunnerError/);
  assert.equal(await trace.isVisible(), false, 'the traceback is folded');
  await state.locator('summary').click();
  await trace.waitFor({ state: 'visible' });
  await page.getByText('not run', { exact: true }).first().waitFor();
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('later drops add to what is open', async () => {
  const [first, second] = ['rebel/basic', 'letta-evals/0.25.1_reward'].map((f) => join(h.fixtures, f));
  const page = await h.openPage(env);
  await h.drop(page, first);
  await h.waitFor(page, 'ready');
  const one = await h.status(page);
  await h.drop(page, second);
  const { report } = await h.nativeReport(second);
  const wanted = { runs: one.runs + report.runs.length, cases: one.cases + sum(report) };
  for (let i = 0; i < 100 && (await h.status(page)).runs !== wanted.runs; i += 1) await page.waitForTimeout(100);
  const { runs, cases } = await h.status(page);
  assert.deepEqual({ runs, cases }, wanted);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a file that nobody reads is named, with the formats that are read', async () => {
  const page = await h.openPage(env);
  await h.openFiles(page, join(h.root, 'rust-toolchain.toml'));
  await h.waitFor(page, 'failed', 'ready', 'idle');
  await page.getByText('rust-toolchain.toml').first().waitFor({ timeout: 10_000 });
  await page.getByText(/slop-code/i).first().waitFor({ timeout: 10_000 });
  assert.deepEqual(await h.axe(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  const right = await page.getByRole('button', { name: 'Try sample results' }).evaluate((e) => e.getBoundingClientRect().right);
  assert.ok(right <= 360, `what failed makes the page ${right} px wide on a phone`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a worker that dies is named, and its files are opened again', async () => {
  const path = join(h.fixtures, 'rebel/basic');
  const page = await h.openPage(env, { again: true });
  await h.openFolder(page, path);
  await h.waitFor(page, 'ready');
  const loaded = await h.status(page);
  const [worker] = page.workers();
  // The second error comes when another one is about to take its place.
  await h.failTwice(worker, 'a fault for the test');
  await page.getByText(/a fault for the test/).first().waitFor();
  for (let i = 0; i < 600 && page.workers().includes(worker); i += 1) await page.waitForTimeout(100);
  assert.ok(!page.workers().includes(worker), 'another worker has taken its place');
  await h.go(page, 'Cases');
  await page.getByRole('row').filter({ hasText: /\bfailed\b/i }).first().waitFor();
  // Before the files are read again the line may say what it said, then that they are being read.
  await page.getByRole('status').filter({ hasText: loaded.text }).first().waitFor();
  assert.deepEqual(await h.axe(page), []);
  await page.context().close();
});
