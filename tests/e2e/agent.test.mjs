// What the agent of a run did: from the overview of a run directory whose agent crashed to its last step and the error.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const CRASHED = join(h.fixtures, 'slop-code/agent/crashed_run');

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

async function opened(options) {
  const page = await h.openPage(env, options);
  await h.openFolder(page, CRASHED);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await h.settled(env);
  return page;
}

test('from the banner, one click leads to the agent’s last step and the error', async () => {
  const page = await opened();
  await page.getByRole('link', { name: /checkpoint_2.*last step and the error/ }).click();
  // The last step is in view and marked; the error stands on the same page.
  const step = page.locator('.turn[aria-current="location"]');
  await step.filter({ hasText: 'python -m pytest -q -k small' }).waitFor();
  assert.ok(await step.isVisible());
  await page.getByText('AgentRunnerError: Agent process exited with code 137').waitFor();
  await page.getByText('Type of the error').waitFor();
  const result = page.locator('.turn').filter({ hasText: 'result' }).filter({ hasText: 'Agent process exited with code 137' });
  await result.first().waitFor();
  // The line that is cut off is there too.
  await page.getByText('is the last one and is cut off').waitFor();
  // The address leads back to it.
  const link = await page.evaluate(() => location.hash);
  assert.match(link, /^#\/2\/agent\?.*part=\d+-last/);
  await page.evaluate(() => { location.hash = '#/2/overview'; });
  await page.getByRole('heading', { name: 'Everything' }).or(page.locator('.page-head__title')).first().waitFor();
  await page.evaluate((hash) => { location.hash = hash; }, link);
  await step.filter({ hasText: 'python -m pytest -q -k small' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('a run shows its transcript with the sub-agent, its changes, prompt, findings and outputs', async () => {
  const page = await opened();
  await page.keyboard.press('9');
  await page.getByRole('link', { name: 'parcel_router / checkpoint_1', exact: true }).first().click();
  const inner = page.locator('.turn--inner');
  await inner.first().waitFor();
  assert.equal(await inner.filter({ hasText: 'sub-agent: Look for edge cases' }).count(), 3);
  // Thoughts are folded, a failed tool says so.
  await page.locator('.turn').filter({ hasText: 'reasoning' }).locator('details:not([open])').first().waitFor();
  await page.getByText('✕ tool failed').waitFor();
  // Each file with its kind and lines, and its difference.
  await page.getByRole('button', { name: 'Changes', exact: true }).click();
  const files = page.locator('.document__files tbody tr');
  await files.first().waitFor();
  assert.deepEqual(await files.evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent))), [
    ['router.py', 'created', '2', '0', '26 B'],
    ['util/names.py', 'modified', '1', '1', '44 B → 45 B'],
    ['old.py', 'deleted', '0', '1', '5 B'],
    ['logo.png', 'created, binary', '–', '–', '2.0 kB'],
  ]);
  assert.equal(await page.locator('.line--added').filter({ hasText: "NAME = re.compile('[a-z]+')" }).count(), 1);
  // What is read only when it is opened.
  await page.getByText('Show “Findings of ast-grep rules”').click();
  await page.getByRole('cell', { name: 're is <b>unused</b>' }).waitFor();
  await page.getByText('Show “pytest stdout”').click();
  await page.getByText('2 passed in 0.10s').waitFor();
  await page.getByText('%%% ENTRYPOINT: python router.py').waitFor();
  assert.deepEqual(await h.axe(page), []);
  // To the next run, and back, by keys.
  // What was evaluated after the skill lies between the two checkpoints.
  await page.keyboard.press('j');
  await page.locator('.case__crumbs').filter({ hasText: 'after skill' }).waitFor();
  await page.keyboard.press('j');
  await page.locator('.case__crumbs').filter({ hasText: 'checkpoint_2' }).waitFor();
  await page.keyboard.press('k');
  await page.locator('.case__crumbs').filter({ hasText: 'after skill' }).waitFor();
  await page.keyboard.press('k');
  await page.locator('.case__crumbs').filter({ hasText: /checkpoint_1/ }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('one who scrolls away at once is not pulled back to where a button has led', async () => {
  const page = await opened();
  await page.keyboard.press('9');
  await page.getByRole('link', { name: 'parcel_router / checkpoint_1', exact: true }).first().click();
  await page.locator('.turn--inner').first().waitFor();
  const heading = page.getByRole('heading', { name: 'Changes', exact: true });
  await page.mouse.move(700, 450);
  await page.getByRole('button', { name: 'Changes', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.tagName === 'H2');
  const led = await heading.boundingBox();
  await page.mouse.wheel(0, -4000);
  await page.waitForFunction(() => document.getElementById('main').scrollTop === 0);
  await page.evaluate(() => new Promise((done) => {
    let left = 20;
    const next = () => (left -= 1) ? requestAnimationFrame(next) : done();
    next();
  }));
  assert.equal(await page.evaluate(() => document.getElementById('main').scrollTop), 0);
  assert.notEqual((await heading.boundingBox()).y, led.y);
  assert.deepEqual(page.problems, []);
});

test('a producer without such files has no page of agents', async () => {
  const page = await h.openPage(env);
  await h.openFolder(page, join(h.fixtures, 'rebel/basic'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).waitFor();
  assert.equal(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agent' }).isVisible(), false);
  assert.deepEqual(page.problems, []);
});
