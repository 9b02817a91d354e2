// Reading a case: what is huge stays smooth, what is hostile stays text, what is far away is found and reached.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

const LIMIT = 50;
const HOSTILE = '<script>window.__ran = 1</script><img src=x onerror="window.__ran = 2"> "\'><b>\u202Edrawkcab\u202C שלום 👩‍👩‍👧‍👦';
const ID = `id-${'x[long]'.repeat(37)}<b>`;

/** A letta-evals folder with one case of each kind that is hard to show. */
function build() {
  const folder = join(h.out, 'reading');
  mkdirSync(folder, { recursive: true });
  const config = { target: { kind: 'agent' }, gate: { metric: 'avg_score', op: 'gte', value: 0.5 }, graders: { g: { kind: 'tool' } } };
  writeFileSync(join(folder, 'header.json'), JSON.stringify({ type: 'header', suite: 'reading', config }));
  const lines = (n, of) => Array.from({ length: n }, (_, i) => of(i)).join('');
  const call = (i) => ({ name: 'search', arguments: JSON.stringify({ query: `needle-${i}`, limit: 5 }), tool_call_id: `c${i}` });
  const at = (i) => `2025-01-01T${String(Math.floor(i / 60) % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:00Z`;
  const turn = (i) => [
    { message_type: 'user_message', content: `Message **${i}**.\n\n- one\n- two`, date: at(i) },
    { message_type: 'reasoning_message', reasoning: `I think about ${i}. `.repeat(20), date: at(i) },
    { message_type: 'tool_call_message', tool_call: call(i), date: at(i) },
    { message_type: 'tool_return_message', tool_return: 'a result line\n'.repeat(i % 60), status: i % 100 === 3 ? 'error' : 'success', tool_call_id: `c${i}`, date: at(i + 1) },
    { message_type: 'assistant_message', content: `Answer ${i} with a [link](https://example.org/${i}).\n\n\`\`\`py\nprint(${i})\n\`\`\``, date: at(i + 1) },
  ];
  const report = (i) => [`tests/test_${i}.py:${i}: AssertionError\n`, '------------------ Captured stdout call ------------------\n', `E   assert ${i} == <${i}>\n`][i % 40] ?? `    line ${i} with some more words in it\n`;
  const cases = [
    { id: 'transcript', trajectory: Array.from({ length: 1000 }, (_, i) => turn(i)) },
    { id: 'difference', truth: lines(100_000, (i) => `line ${i} is as it was\n`), submission: lines(100_000, (i) => (i % 100 === 8 ? '' : i % 100 === 7 ? `line ${i} is new & <other>\n` : `line ${i} is as it was\n`)) },
    { id: 'failure', error: { category: 'target', exception_type: 'AssertionError', message: lines(6_500, report) } },
    { id: ID, truth: HOSTILE, submission: `${HOSTILE}!`, trajectory: [[{ role: 'user', content: HOSTILE }, { role: HOSTILE, content: HOSTILE }, { role: 'assistant', content: null, tool_calls: [{ id: '9', function: { name: HOSTILE, arguments: JSON.stringify({ [HOSTILE]: HOSTILE }) } }] }]] },
  ];
  const row = ({ id, truth = 'yes', submission = 'no', trajectory = [[]], error }) => JSON.stringify({ type: 'result', result: {
    sample: { id, input: id === ID ? HOSTILE : 'hello', ground_truth: truth }, submission, trajectory, agent_id: 'a',
    grade: { score: 0, rationale: HOSTILE }, grades: { g: { score: 0, rationale: HOSTILE } }, ...(error ? { error } : {}) } });
  writeFileSync(join(folder, 'results.jsonl'), `${cases.map(row).join('\n')}\n`);
  return folder;
}

let env, folder;
before(async () => { folder = build(); env = await h.start(); });
after(() => env?.stop());

async function opened(options) {
  const page = await h.openPage(env, { permissions: ['clipboard-read', 'clipboard-write'], ...options });
  await h.openFolder(page, folder);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  await h.settled(env);
  return page;
}

async function read(page, idx) {
  await page.evaluate((hash) => { location.hash = hash; }, `#/1/cases?case=0.0.${idx}`);
  await page.locator('.case__id').filter({ hasText: ['transcript', 'difference', 'failure', ID][idx] }).waitFor({ timeout: 30_000 });
}

/** What `work` costs the page's main thread at most in one task, in milliseconds of its own. */
async function longest(page, work) {
  await env.browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  const events = JSON.parse((await env.browser.stopTracing()).toString()).traceEvents;
  const place = (e) => `${e.pid}/${e.tid}`;
  const main = new Set(events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map(place));
  return Math.max(...events.filter((e) => e.name === 'RunTask' && main.has(place(e)) && e.tdur !== undefined).map((e) => e.tdur)) / 1000;
}

test('a transcript of 5,000 messages is scrolled, searched and jumped through', async () => {
  const page = await opened();
  const cost = await longest(page, async () => {
    await read(page, 0);
    for (let i = 0; i < 20; i += 1) {
      await page.mouse.move(800, 500);
      await page.mouse.wheel(0, 3000);
      await page.waitForTimeout(50);
    }
  });
  assert.ok(cost <= LIMIT, `the longest task worked ${cost} ms`);
  await page.getByLabel('Search in the transcript').fill('NEEDLE-801');
  const match = page.locator('.find__match');
  await match.first().waitFor();
  assert.equal(await match.count(), 1);
  await match.click();
  await page.waitForFunction(() => document.activeElement?.textContent.includes('needle-801'));
  const top = await page.evaluate(() => document.activeElement.getBoundingClientRect().top);
  assert.ok(top > 0 && top < 800, `it is in view, at ${top}`);
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a difference of 100,000 lines is drawn in rows, one column or two, folded or whole', async () => {
  const page = await opened();
  const view = page.locator('.diff .viewer');
  const cost = await longest(page, async () => {
    await read(page, 1);
    await page.locator('summary', { hasText: 'Difference' }).click();
    await view.locator('.row').first().waitFor({ timeout: 30_000 });
    for (const part of [0.3, 0.9, 1]) {
      await view.evaluate((e, part) => { e.scrollTop = e.scrollHeight * part; }, part);
      await page.waitForTimeout(200);
    }
  });
  assert.ok(cost <= LIMIT, `the longest task worked ${cost} ms`);
  assert.match(await page.locator('.diff__count').innerText(), /−2,000 expected, \+1,000 actual/);
  assert.ok(await view.locator('.row').count() < 400, 'only rows in sight are in the document');
  await page.getByRole('button', { name: 'Side by side' }).click();
  await page.locator('.diff .rows--two .row').first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Side by side', 'the focus stays on what was pressed');
  await page.getByRole('button', { name: 'Unified' }).click();
  await page.locator('.row--fold .jump').nth(2).click();
  await page.locator('.row.is-found').waitFor();
  assert.equal(await page.getByRole('button', { name: 'All lines' }).getAttribute('aria-pressed'), 'true');
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a failure text of 260,000 letters is searched and copied whole', async () => {
  const page = await opened();
  const cost = await longest(page, async () => {
    await read(page, 2);
    await page.locator('#s-failure').scrollIntoViewIfNeeded();
    await page.locator('.text--failure .row').first().waitFor();
  });
  assert.ok(cost <= LIMIT, `the longest task worked ${cost} ms`);
  await page.getByLabel(/^Search in .*AssertionError/).fill('assert 6402 ');
  await page.locator('.find__match').click();
  await page.locator('.row.is-found').filter({ hasText: 'E   assert 6402 == <6402>' }).waitFor();
  await page.getByRole('button', { name: /^Copy .*AssertionError/ }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.length > 250_000 && copied.endsWith('line 6499 with some more words in it\n'), `${copied.length} letters`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [name, options] of [['wide and light', {}], ['narrow and dark', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }]]) {
  test(`hostile text stays text, ${name}`, async () => {
    const page = await opened(options);
    await read(page, 3);
    for (const summary of await page.locator('.case details:not([open]) > summary').all()) await summary.click({ timeout: 1000 }).catch(() => {});
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => window.__ran), undefined, 'nothing ran');
    assert.equal(await page.locator('.case script, .case img, .case [onerror]').count(), 0);
    assert.equal(await page.locator('.case__id').textContent(), ID);
    const texts = await page.locator('.case').evaluate((e) => e.textContent.split('window.__ran = 1').length - 1);
    assert.ok(texts > 8, `the text is shown ${texts} times`);
    const over = await page.evaluate(() => [document.documentElement, document.querySelector('#main')].map((e) => e.scrollWidth - e.clientWidth));
    assert.deepEqual(over, [0, 0], 'nothing is wider than the page');
    assert.deepEqual(await h.axe(page), []);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test('previous and next follow the table, failures only when asked', async () => {
  const page = await h.openPage(env);
  await h.openFolder(page, join(h.fixtures, 'slop-code/g2/v1.0'));
  await h.waitFor(page, 'ready');
  await page.evaluate(() => { location.hash = '#/1/cases?case=0.0.0'; });
  const id = page.locator('.case__id'), outcome = page.locator('.case__outcome'), position = page.locator('.case__position');
  await position.filter({ hasText: '1 of 28' }).waitFor();
  const first = await id.innerText();
  await page.keyboard.press('j');
  await position.filter({ hasText: '2 of 28' }).waitFor();
  await page.keyboard.press('k');
  await id.filter({ hasText: first }).waitFor();
  await page.getByRole('button', { name: 'Failures only' }).click();
  for (let i = 0; i < 3; i += 1) {
    const before = await position.innerText();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForFunction((before) => document.querySelector('.case__position')?.textContent !== before, before);
    await outcome.filter({ hasText: /failed|error/ }).waitFor();
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
