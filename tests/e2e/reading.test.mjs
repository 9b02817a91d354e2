// Reading a case: what is huge stays smooth, what is hostile stays text, what is far away is found and reached.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';
import { CASES, ID, build, buildMany } from './huge.mjs';

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
  await page.locator('.case__id').filter({ hasText: CASES[idx] }).waitFor({ timeout: 30_000 });
}

/** Opens what is folded under `words`. A click that comes while the case is still being drawn is lost now and then (once in about twenty runs under load). */
async function opening(page, words) {
  const folded = page.locator('details').filter({ has: page.locator('> summary', { hasText: words }) });
  for (let i = 0; i < 3 && !await folded.evaluate((e) => e.open); i += 1) {
    await folded.locator('> summary').click();
    await page.waitForTimeout(300);
  }
}

/** Does `work`; whatever it brings into the document comes a window at a time. Returns what was counted. */
async function inWindows(page, work, answer = h.ANSWER) {
  await h.watch(page);
  await work();
  const seen = await h.watched(page);
  assert.ok(seen.allElements > 100 && seen.answers > 1, `something was drawn: ${JSON.stringify(seen)}`);
  assert.ok(seen.elements <= h.WINDOW, `${seen.elements} elements between two frames`);
  assert.ok(seen.answer <= answer, `an answer of ${seen.answer} bytes`);
  return seen;
}

test('a transcript of 5,000 messages is scrolled, searched and jumped through', async () => {
  const page = await opened();
  await inWindows(page, () => read(page, 0));
  assert.deepEqual(await h.axe(page), []);
  await inWindows(page, async () => {
    for (let i = 0; i < 20; i += 1) {
      await page.mouse.move(800, 500);
      await page.mouse.wheel(0, 3000);
      await page.waitForTimeout(50);
    }
  });
  // A screen of them, those near it, and what was scrolled by.
  // What was scrolled past goes once it has been out of sight for some frames; on a busy machine that is after the last turn of the wheel.
  await page.waitForFunction(() => document.querySelectorAll('.turn').length < 1000, null, { timeout: 10_000 }).catch(() => assert.fail('messages far away are in the document'));
  await page.getByLabel('Search in the transcript').fill('NEEDLE-801');
  const match = page.locator('.find__match');
  await match.first().waitFor();
  assert.equal(await match.count(), 1);
  await match.click();
  await page.waitForFunction(() => document.activeElement?.textContent.includes('needle-801'));
  // What is around it is drawn after it.
  await page.waitForFunction(() => { const { top } = document.activeElement.getBoundingClientRect(); return top > 0 && top < 800; });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a difference of 100,000 lines is drawn in rows, one column or two, folded or whole', async () => {
  const page = await opened();
  const view = page.locator('.diff .viewer');
  await inWindows(page, async () => {
    await read(page, 1);
    await opening(page, 'Difference');
    await view.locator('.row').first().waitFor({ timeout: 30_000 });
    for (const part of [0.3, 0.9, 1]) {
      await view.evaluate((e, part) => { e.scrollTop = e.scrollHeight * part; }, part);
      await page.waitForTimeout(200);
    }
  });
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

test('a tree of 120,000 values is opened step by step', async () => {
  const page = await opened();
  await inWindows(page, async () => {
    await read(page, 4);
    const tree = page.locator('.json').first();
    const closed = (words) => tree.locator('details:not([open]) > summary').filter({ hasText: words }).first();
    const row = tree.getByText('"row 7"').first();
    // As many ranges of ranges as there are. A click that comes while something above is still being drawn hits something else.
    for (let turn = 0; turn < 20 && !(await row.isVisible()); turn += 1) {
      const next = await closed(/^0 – /).isVisible() ? closed(/^0 – /) : closed(/rows/);
      if (await next.isVisible()) await next.click();
      await page.waitForTimeout(300);
    }
    await row.waitFor();
  });
  assert.deepEqual(page.problems, []);
});

test('three hundred reports are listed a window at a time', async () => {
  const page = await h.openPage(env);
  await inWindows(page, async () => {
    await h.openFolder(page, buildMany(300));
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
    for (const name of ['Statistics', 'Trends', 'Audit', 'Notes', 'Overview']) {
      await h.go(page, name);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(300);
    }
  }, h.PAGE_ANSWER);
  // Everything, and each of them; what has runs of other names has lines below it.
  const lines = page.locator('.tree__line--1');
  await lines.nth(300).waitFor();
  assert.equal(await lines.count(), 301, 'and all of them are there');
  assert.deepEqual(page.problems, []);
});

test('a failure text of 260,000 letters is searched and copied whole', async () => {
  const page = await opened();
  await inWindows(page, async () => {
    await read(page, 2);
    await page.locator('#s-failure').scrollIntoViewIfNeeded();
    await page.locator('.text--failure .row').first().waitFor();
  });
  await page.getByLabel(/^Search in .*AssertionError/).fill('assert 6402 ');
  await page.locator('.find__match').click();
  await page.locator('.row.is-found').filter({ hasText: 'E   assert 6402 == <6402>' }).waitFor();
  // It is brought into sight in the frames that follow; a click while the page scrolls may miss.
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('.row.is-found').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
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

test('a case says first what decided it; its sections stay in view, follow the scroll and are reached by keys', async () => {
  const page = await h.openPage(env, { viewport: { width: 1440, height: 900 } });
  await h.openFolder(page, join(h.fixtures, 'letta-evals/0.20.0_suite'));
  await h.waitFor(page, 'ready');
  await page.evaluate(() => { location.hash = '#/1/cases?case=0.0.3'; });
  await page.getByRole('region', { name: 'Verdict' }).filter({ hasText: /^Passed: score 1\.000 ≥ 1/ }).waitFor();
  // The heading has the focus; the next stop is in the content, not in the bar above it.
  await page.waitForFunction(() => document.activeElement?.classList.contains('case__id'));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => Boolean(document.activeElement?.closest('.case__bar'))), false);
  // Each message is an article with a name.
  await page.getByRole('article', { name: 'Message 1, user' }).waitFor();
  // The transcript left of what decided.
  const [left, right] = await Promise.all(['.transcript', '.case__verdict'].map(async (what) => (await page.locator(what).boundingBox()).x));
  assert.ok(left < right, `${left} < ${right}`);
  const links = page.getByRole('navigation', { name: 'Sections of this case' });
  await links.getByRole('button', { name: /^Metadata|^Raw records/ }).last().click();
  await links.locator('[aria-current]').filter({ hasText: 'Raw records' }).waitFor();
  assert.ok((await links.boundingBox()).y < 120, 'the links are still in view');
  assert.match(await page.evaluate(() => location.hash), /part=raw-records/);
  // The same case in another run.
  await page.getByRole('link', { name: /^anthropic\/claude-haiku-4-5/ }).last().click();
  await page.getByRole('region', { name: 'Verdict' }).filter({ hasText: /^Error/ }).waitFor();
  // On a phone what decided comes first.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goBack();
  await page.getByRole('region', { name: 'Verdict' }).filter({ hasText: /^Passed/ }).waitFor();
  const [above, below] = await Promise.all(['.case__verdict', '.transcript'].map(async (what) => (await page.locator(what).boundingBox()).y));
  assert.ok(above < below, `${above} < ${below}`);
  assert.deepEqual(await h.axe(page), []);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
