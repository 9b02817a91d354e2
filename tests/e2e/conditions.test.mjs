// The page under conditions that its readers set: forced colours, no motion, 200 % zoom, wider spacing of text, a narrow screen.
// No page scrolls sideways, no text is cut off or covered, focus rings are seen whole.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as h from './harness.mjs';

let env;
before(async () => { env = await h.start(); });
after(() => env?.stop());

const VIEWS = [
  '#/1/overview', '#/1/overview?of=0', '#/1/overview?of=0.0', '#/1/cases', '#/1/cases?case=0.0.1', '#/1/failures', '#/1/rules', '#/1/statistics',
  '#/1/trends', '#/1/audit?agreeing=1', '#/1/notes',
];
const FOLDERS = ['slop-code/g1/runs', 'letta-evals/0.26.0_reward_multirun', 'rebel'];

// Of WCAG 1.4.12, in its words.
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`;

/** What is wrong with how the page is laid out, one line each: run in the page. */
const COMPLAINTS = () => {
  const found = new Set();
  const main = document.querySelector('main');
  for (const one of [document.scrollingElement, main]) {
    if (one.scrollWidth > one.clientWidth + 1) found.add(`${one.tagName.toLowerCase()} scrolls sideways: ${one.scrollWidth} > ${one.clientWidth}`);
  }
  const said = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${element.textContent.trim().slice(0, 40)}"`;
  // Looked up once for each element: thousands of texts lie in the same ones.
  const all = new Map();
  const known = (element) => {
    let facts = all.get(element);
    if (!facts) {
      const style = getComputedStyle(element), up = element.parentElement && known(element.parentElement);
      facts = {
        own: element.getBoundingClientRect(), position: style.position, x: style.overflowX, y: style.overflowY,
        hasEllipsis: style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none',
        // Words that only assistive tools read.
        isClipped: style.clipPath === 'inset(50%)' || Boolean(up?.isClipped),
        // A link that takes in all of its row by something without words.
        isStretched: getComputedStyle(element, '::after').position === 'absolute' || Boolean(up?.isStretched),
        isSticky: ['sticky', 'fixed'].includes(style.position) || Boolean(up?.isSticky),
      };
      all.set(element, facts);
    }
    return facts;
  };
  const isHidden = (element) => element.closest('.visually-hidden, [hidden], .skip-link, svg, [aria-hidden="true"] svg, dialog:not([open])') !== null
    || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || known(element).isClipped;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || isHidden(element)) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 2) continue;
      // Cut off by something that neither scrolls nor says so with an ellipsis.
      let at = element, isScrolledAway = false;
      for (; at && at !== document.body; at = at.parentElement) {
        const { own, position, x, y, hasEllipsis } = known(at);
        if (position === 'fixed') break;
        if (['auto', 'scroll'].includes(y) && (box.top < own.top - 1 || box.bottom > own.bottom + 1)) isScrolledAway = true;
        if (['auto', 'scroll'].includes(x) && (box.left < own.left - 1 || box.right > own.right + 1)) isScrolledAway = true;
        if (isScrolledAway) break;
        if (['hidden', 'clip'].includes(x) && !hasEllipsis && (box.left < own.left - 2 || box.right > own.right + 2)) found.add(`cut off sideways by ${said(at)}: ${said(element)}`);
        if (['hidden', 'clip'].includes(y) && !hasEllipsis && (box.top < own.top - 3 || box.bottom > own.bottom + 3)) found.add(`cut off below by ${said(at)}: ${said(element)}`);
        if (hasEllipsis) break;
        // Out of its button.
        if (at.matches('button, .button, select, summary') && (box.right > own.right + 2 || box.left < own.left - 2 || box.bottom > own.bottom + 4)) found.add(`out of its control ${said(at)}`);
      }
      if (isScrolledAway) continue;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const over = document.elementFromPoint(x, y);
      // What an ellipsis has cut is not there.
      const isCut = (() => { for (let one = element; one; one = one.parentElement) { const { own, x: overflow } = known(one); if (overflow !== 'visible' && (x > own.right || x < own.left || y > own.bottom || y < own.top)) return true; } return false; })();
      if (over && !isCut && !known(over).isSticky && !known(over).isStretched && !over.contains(element) && !element.contains(over) && getComputedStyle(element).pointerEvents !== 'none') found.add(`covered by ${said(over)}: ${said(element)}`);
    }
  }
  return [...found];
};

const show = async (page, hash) => {
  await page.evaluate((to) => { location.hash = to; }, hash);
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.waitForTimeout(250);
};

async function every(options, prepare, check) {
  const page = await h.openPage(env, options);
  await prepare?.(page);
  await check(page, 'start');
  for (const folder of FOLDERS) {
    await h.drop(page, join(h.fixtures, folder));
    assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
    for (const view of VIEWS) {
      await show(page, view);
      await check(page, `${folder} ${view}`);
    }
    await page.reload();
    await prepare?.(page);
    await h.waitFor(page, 'idle');
  }
  assert.deepEqual(page.problems, []);
}

/** Gathers what is wrong on all pages, so that one run says all of it. */
const gather = () => {
  const all = {};
  return {
    check: async (page, where) => {
      const found = await page.evaluate(COMPLAINTS);
      await page.locator('main').evaluate((main) => { main.scrollTop = main.scrollHeight; });
      found.push(...await page.evaluate(COMPLAINTS));
      await page.locator('main').evaluate((main) => { main.scrollTop = 0; });
      if (found.length) all[where] = [...new Set(found)];
    },
    all,
  };
};

/** Fails with all that was found, and where. */
const fine = (all) => {
  const where = {};
  for (const [view, lines] of Object.entries(all)) for (const line of lines) (where[line] ??= []).push(view);
  const lines = Object.entries(where).map(([line, views]) => `${line} (${views.slice(0, 3).join(', ')}${views.length > 3 ? `, ${views.length - 3} more` : ''})`);
  if (lines.length) assert.fail(lines.join('\n'));
};

test('what is wrong with a layout is found', async () => {
  const page = await (await env.browser.newContext({ viewport: { width: 400, height: 300 } })).newPage();
  await page.setContent(`<main style="overflow:auto;width:300px"><div style="width:500px">wide</div></main>
    <p style="position:relative;width:60px;height:18px;overflow:hidden;white-space:nowrap">much more than fits into this</p>
    <p id="under" style="margin:0;width:120px">one sentence</p><p style="margin:-20px 0 0;width:120px;background:#fff">another one</p>
    <button style="width:20px;white-space:nowrap;padding:0;overflow:visible">a long name</button>`);
  const found = (await page.evaluate(COMPLAINTS)).join('\n');
  for (const wanted of [/main scrolls sideways/, /cut off sideways by p/, /covered by p\. "another one": p\. "one sentence"/, /out of its control button/]) assert.match(found, wanted);
});

for (const [name, options, prepare] of [
  ['200 % zoom', { viewport: { width: 720, height: 450 } }],
  ['400 % zoom', { viewport: { width: 360, height: 640 } }],
  ['spacing of text', { viewport: { width: 1440, height: 900 }, bypassCSP: true }, (page) => page.addStyleTag({ content: SPACING })],
  ['spacing of text on a phone', { viewport: { width: 390, height: 844 }, bypassCSP: true }, (page) => page.addStyleTag({ content: SPACING })],
]) {
  test(`${name}: nothing scrolls sideways, is cut off, or covers something`, async () => {
    const { all, check } = gather();
    await every(options, prepare, check);
    fine(all);
  });
}

test('reduced motion: nothing moves', async () => {
  await every({ reducedMotion: 'reduce' }, null, async (page, where) => {
    const moving = await page.evaluate(() => [
      ...document.getAnimations().map((one) => `animation ${one.animationName ?? one.transitionProperty}`),
      ...[...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration.split(',').some((secs) => parseFloat(secs) > 0)).map((one) => `transition of ${one.className}`),
    ]);
    assert.deepEqual([...new Set(moving)], [], where);
  });
});

test('forced colours: outcomes, bars and what is selected are still told apart', async () => {
  await every({ forcedColors: 'active', viewport: { width: 1440, height: 900 } }, null, async (page, where) => {
    const wrong = await page.evaluate(() => {
      const found = [];
      const paper = getComputedStyle(document.body).backgroundColor;
      const see = (selector, is) => { for (const one of document.querySelectorAll(selector)) if (one.checkVisibility() && !is(getComputedStyle(one), one)) found.push(`${selector} is not seen`); };
      see('.outcome-mark__body', (style) => style.fill !== 'none' ? style.fill !== paper : style.stroke !== paper);
      see('.tally__part', (style) => style.backgroundImage !== 'none' || ![paper, 'rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'].includes(style.backgroundColor));
      see('.tree__line[aria-selected="true"]', (style, one) => {
        const other = document.querySelector('.tree__line[aria-selected="false"]');
        return !other || style.backgroundColor !== getComputedStyle(other).backgroundColor || style.outlineStyle !== 'none' || style.borderStyle !== getComputedStyle(other).borderStyle;
      });
      see('nav [aria-current="page"]', (style, one) => getComputedStyle(one, '::after').backgroundColor !== paper || style.textDecorationLine !== 'none');
      return [...new Set(found)];
    });
    assert.deepEqual(wrong, [], where);
  });
});

/** Of the element that has the focus: what is wrong with its ring; null when nothing is. */
const RING = () => {
  const own = document.activeElement;
  if (!own || own === document.body) return null;
  const marked = [own.closest('label'), own.labels?.[0], own, own.closest('.run, .failure'), own.querySelector?.(':scope > .mark__area')].filter(Boolean);
  const said = `${own.tagName.toLowerCase()}.${own.getAttribute('class') ?? ''} "${(own.getAttribute('aria-label') ?? own.textContent).trim().slice(0, 40)}"`;
  const ringed = marked.find((one) => { const style = getComputedStyle(one); return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1.5) || (one.matches('.mark__area') && style.stroke !== 'none'); });
  // Of a link that takes in its row, the row has the ring.
  const around = getComputedStyle(own, '::after');
  if (around.position === 'absolute' && around.outlineStyle !== 'none' && parseFloat(around.outlineWidth) >= 1.5) return null;
  if (!ringed) return `no ring: ${said}`;
  if (ringed.matches('.mark__area')) return null;
  const style = getComputedStyle(ringed);
  // Less than nothing where it is drawn inside.
  const reach = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth);
  const box = ringed.getBoundingClientRect();
  const ring = { left: box.left - reach, right: box.right + reach, top: box.top - reach, bottom: box.bottom + reach };
  for (let at = ringed.parentElement; at && at !== document.body; at = at.parentElement) {
    const outer = getComputedStyle(at);
    if (outer.overflowX === 'visible' && outer.overflowY === 'visible') continue;
    const edge = at.getBoundingClientRect();
    // What scrolls may hold more than is seen of it; then only sides that do not scroll can cut.
    const scrollsX = at.scrollWidth > at.clientWidth + 1, scrollsY = at.scrollHeight > at.clientHeight + 1;
    const cut = (!scrollsX && (ring.left < edge.left - 0.6 || ring.right > edge.right + 0.6)) || (!scrollsY && (ring.top < edge.top - 0.6 || ring.bottom > edge.bottom + 0.6));
    if (cut) return `its ring is cut by ${at.tagName.toLowerCase()}.${at.getAttribute('class') ?? ''}: ${said}`;
  }
  return null;
};

test('focus rings are seen whole, wherever Tab leads', async () => {
  const all = {};
  const page = await h.openPage(env, { viewport: { width: 1440, height: 900 } });
  const walk = async (where) => {
    await page.evaluate(() => document.activeElement?.blur());
    const found = new Set();
    for (let i = 0; i < 70; i += 1) {
      await page.keyboard.press('Tab');
      const wrong = await page.evaluate(RING);
      if (wrong) found.add(wrong);
    }
    if (found.size) all[where] = [...found];
  };
  await walk('start');
  await h.drop(page, join(h.fixtures, FOLDERS[0]));
  await h.waitFor(page, 'ready', 'failed');
  for (const view of VIEWS) {
    await show(page, view);
    await walk(view);
  }
  fine(all);
});
