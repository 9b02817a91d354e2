// Sealed reports: saved from the hosted page and from the single file on disk, opened from disk without a network. They show
// what the page showed that they were made from, hold nothing that was to be left out, and stay small.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as h from './harness.mjs';

const dist = process.env.EVALGLASS_DIST || join(h.root, 'dist');
const single = join(dist, 'evalglass.html');
const KEY = 'sk-proj-0123456789abcdefghijklmnop';
const FOLDERS = ['letta-evals/0.25.1_reward', 'letta-evals/0.5.0_single', 'rebel/basic', 'rebel/guide', 'slop-code/g2/v1.0'];

let env, folder;
before(async () => { env = await h.start(); folder = mkdtempSync(join(tmpdir(), 'evalglass-sealed-')); });
after(async () => { await env?.stop(); rmSync(folder, { recursive: true, force: true }); });

/** Opens a page from disk without a network; whatever it asks for besides itself is a problem. */
async function fromDisk(file, { hash = '', colorScheme = 'light', viewport = { width: 1280, height: 800 }, init = null } = {}) {
  const context = await env.browser.newContext({ offline: true, colorScheme, viewport, acceptDownloads: true });
  const page = await context.newPage();
  const problems = [];
  const address = pathToFileURL(file).href;
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`); });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url().split('#')[0];
    if (url !== address && !/^(blob|data):/.test(url)) problems.push(`request: ${url}`);
  });
  if (init) await page.addInitScript(init);
  await page.goto(address + hash);
  await h.waitFor(page, 'idle', 'ready', 'failed');
  return Object.assign(page, { problems });
}

async function openSealed(file, options) {
  const page = await fromDisk(file, options);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready', page.problems.join('; '));
  return page;
}

/** Export → Save as HTML; `choose` fills the form in. Returns the file and the sizes that the dialog told. */
async function seal(page, name, choose = async () => {}) {
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByRole('menuitem', { name: /^Save as HTML/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as HTML' });
  await dialog.getByRole('button', { name: 'Prepare' }).waitFor();
  await choose(dialog);
  await dialog.getByRole('button', { name: 'Prepare' }).click();
  await dialog.getByRole('button', { name: 'Save' }).waitFor();
  const sizes = await dialog.locator('.seal__sizes dd').evaluateAll((all) => all.map((one) => Number(one.title.replace(/\D/g, ''))));
  const said = await dialog.innerText();
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save' }).click()]);
  const file = join(folder, `${name}.html`);
  await download.saveAs(file);
  await dialog.waitFor({ state: 'hidden' });
  return { file, sizes, said, suggested: download.suggestedFilename() };
}

/** The report in a sealed file. */
function report(file) {
  const [, text] = /<script type="application\/gzip" id="sealed"[^>]*>([^<]*)<\/script>/.exec(readFileSync(file, 'utf8'));
  return gunzipSync(Buffer.from(text, 'base64'));
}

/**
 * Text of the part of the page that `selector` names, once it no longer changes. What is large is drawn in turns, a frame each: frames are
 * counted, since a busy machine has few of them.
 */
async function settledText(page, selector) {
  const read = () => page.locator(selector).evaluateAll((all) => all.map((one) => one.innerText).join('\n'));
  const frames = () => page.evaluate(async () => { for (let left = 15; left > 0; left -= 1) await new Promise(requestAnimationFrame); });
  for (let old = null, now = await read(); ; [old, now] = [now, await read()]) {
    if (old === now && now !== '' && !now.includes('Reading ')) return now;
    await page.waitForTimeout(150);
    await frames();
  }
}

/** What the page says of its results: headline numbers, counts, the first rows of the table, the first case that did not pass. */
async function facts(page) {
  const to = (name) => h.go(page, name);
  await to('Overview');
  const overview = await settledText(page, '#main .sections');
  const { text } = await h.status(page);
  await to('Cases');
  await page.getByRole('row').nth(1).waitFor();
  const rows = await page.getByRole('row').evaluateAll((all) => all.slice(0, 12).map((row) => row.innerText));
  const row = page.getByRole('row').filter({ hasText: /\b(failed|error|passed)\b/ }).first();
  await row.click();
  await page.locator('.case__id').waitFor();
  const detail = await settledText(page, '.case .drawn');
  await page.keyboard.press('Escape');
  await page.locator('.case__id').waitFor({ state: 'detached' });
  return { overview, text, rows, detail };
}

async function opened(path, options) {
  const page = await h.openPage(env, { fetches: true, ...options });
  await h.openFolder(page, path);
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  return page;
}

/** The page as it goes into a report that opens no further files: without the program that reads them. */
const readOnly = (page) => {
  const rest = page.replace(/<script type="application\/gzip" id="part-reader">[^<]*<\/script>\n/, '');
  assert.ok(rest.length < page.length, 'the page has a reader program');
  return rest;
};

for (const path of FOLDERS) {
  test(`${path} shows the same, sealed`, async () => {
    const page = await opened(join(h.fixtures, path));
    const wanted = await facts(page);
    const before = await h.settled(env);
    const { file, sizes } = await seal(page, path.replaceAll('/', '-'));
    const asked = env.server.requests.length;
    assert.deepEqual(env.server.requests.slice(before), ['GET /lab/evalglass/evalglass.html'], 'sealing fetches the single file, once');
    const [data, whole] = [report(file), readFileSync(file)];
    assert.deepEqual(sizes, [data.length, sizes[1], whole.length], 'the dialog tells sizes to the byte');
    const grown = whole.length - readOnly(readFileSync(single, 'utf8')).length;
    const limit = gzipSync(data, { level: 9 }).length * 1.4;
    assert.ok(grown > 0 && grown <= limit, `${grown} bytes more than the page, ${limit} are allowed`);

    const copy = await openSealed(file);
    assert.deepEqual(await facts(copy), wanted);
    assert.match(await copy.locator('#sealed-line').innerText(), /^Sealed report · made \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC with Evalglass [\d.]+ · read-only$/);
    await h.go(copy, 'Overview');
    assert.deepEqual(await h.axe(copy), []);
    assert.equal(env.server.requests.length, asked, 'the sealed page asks the server for nothing');
    assert.deepEqual([page.problems, copy.problems], [[], []]);
    await Promise.all([page.context().close(), copy.context().close()]);
  });
}

test('the single file seals itself, and a sealed file once more', async () => {
  const page = await fromDisk(single);
  await h.openFolder(page, join(h.fixtures, 'letta-evals/0.25.1_reward'));
  assert.equal(await h.waitFor(page, 'ready', 'failed'), 'ready');
  const wanted = await facts(page);
  const { file } = await seal(page, 'from-disk', (dialog) => dialog.getByLabel('With drop enabled').check());
  const without = (text) => text.replace(/<script type="application\/gzip" id="sealed"[^>]*>[^<]*<\/script>\n/, '');
  assert.equal(without(readFileSync(file, 'utf8')), readFileSync(single, 'utf8'), 'the page in it is the page that it was made from');

  const copy = await openSealed(file);
  assert.deepEqual(await facts(copy), wanted);
  await h.drop(copy, join(h.fixtures, 'rebel/basic'));
  await copy.waitForFunction(() => /\b2 evaluations/.test(document.querySelector('[role="status"]').textContent));
  const again = await seal(copy, 'again', async (dialog) => {
    await dialog.getByLabel('Everything').check();
    await dialog.getByLabel('Transcripts').uncheck();
  });
  assert.equal(without(readFileSync(again.file, 'utf8')), readOnly(readFileSync(single, 'utf8')), 'the older results are not in it, nor is the reader program in a read-only report');

  const third = await openSealed(again.file, { colorScheme: 'dark' });
  assert.match((await h.status(third)).text, /^2 evaluations/);
  assert.match(await third.locator('#sealed-line').innerText(), / · left out or replaced: transcripts, raw records$/);
  assert.deepEqual(await h.axe(third), []);
  await third.getByRole('button', { name: /^Export/ }).click();
  await third.getByRole('menuitem', { name: /^Save as HTML/ }).click();
  await third.getByLabel('With drop enabled').check();
  await third.getByRole('button', { name: 'Prepare' }).click();
  await third.getByText('A read-only sealed report does not contain the program that reads files').waitFor();
  assert.deepEqual([page.problems, copy.problems, third.problems], [[], [], []]);
  await Promise.all([page, copy, third].map((one) => one.context().close()));
});

test('secrets, transcripts, fields and patterns stay behind', async () => {
  const run = join(folder, 'keys');
  cpSync(join(h.fixtures, 'letta-evals/0.25.1_reward'), run, { recursive: true });
  for (const name of readdirSync(run).filter((one) => /json/.test(one) && one !== 'expected.json')) {
    const text = readFileSync(join(run, name), 'utf8');
    writeFileSync(join(run, name), text.replaceAll('"api_key": null', `"api_key": "${KEY}"`).replaceAll('How many invoices', `With ${KEY}, how many invoices`));
  }
  const page = await opened(run);
  const { overview } = await facts(page);
  const whole = await seal(page, 'masked');
  const text = report(whole.file).toString();
  assert.ok(!text.includes(KEY) && text.includes('With sk-…, how many invoices'));
  assert.ok(whole.said.includes('API key (sk-…)') && !whole.said.includes(KEY), whole.said);
  const words = /"reasoning": ?"([^"]{40,})"|"message_type": ?"reasoning_message"[^}]*"reasoning": ?"([^"]{40,})"/.exec(readFileSync(join(run, 'openai-gpt-4.1-mini.jsonl'), 'utf8'));
  const thought = (words[1] ?? words[2]).slice(0, 40);
  assert.ok(text.includes(thought), 'the transcript is in the whole report');

  const bare = await seal(page, 'bare', async (dialog) => {
    await dialog.getByLabel('Transcripts').uncheck();
    assert.ok(await dialog.getByLabel('Raw records').isDisabled());
    await dialog.getByLabel('Fields by name').fill('agent_id');
    await dialog.getByLabel('Patterns').fill('(open');
    await dialog.getByRole('button', { name: 'Prepare' }).click();
    await dialog.getByText('Line 1: (open').waitFor();
    await dialog.getByLabel('Patterns').fill('invoices? did [^?]+');
  });
  const rest = report(bare.file).toString();
  for (const [left, what] of [[thought, 'a transcript'], [/agent-[0-9a-f]{8}-/, 'an id that was named'], [/invoices? did/, 'what a pattern matches']]) {
    const at = rest.search(left instanceof RegExp ? left : left.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    assert.equal(at, -1, `${what} is in the report: ${rest.slice(at - 200, at + 80)}`);
  }
  assert.ok(rest.includes('[redacted]') && rest.includes('[removed]'));
  const copy = await openSealed(bare.file);
  await h.go(copy, 'Overview');
  assert.equal(await settledText(copy, '#main .sections'), overview);
  assert.match(await copy.locator('#sealed-line').innerText(), /left out or replaced: transcripts, raw records, .*texts by pattern, .*secrets masked$/);
  assert.deepEqual([page.problems, copy.problems], [[], []]);
  await Promise.all([page.context().close(), copy.context().close()]);
});

test('a read-only report refuses files and starts where it was made; rules, filters, links and exports work in it', async () => {
  const page = await opened(join(h.fixtures, 'letta-evals/0.25.1_reward'));
  await h.go(page, 'Cases');
  await page.evaluate(() => { location.hash += `${location.hash.includes('?') ? '&' : '?'}find=outcome%3Afailed&set.pass=%3E%3D%200.9`; });
  await page.getByRole('row').nth(1).waitFor();
  const heading = await settledText(page, '.page-head--line');
  const { file, said, suggested } = await seal(page, 'view');
  assert.match(said, /only the \d+ cases that match the filter carry details/);
  assert.equal(suggested, 'evalglass-reward-suite.html');
  const cases = JSON.parse(report(file)).runs.flatMap((run) => run.cases);
  assert.ok(cases.some((one) => one.detail) && cases.some((one) => !one.detail));

  const copy = await openSealed(file);
  await copy.getByRole('row').nth(1).waitFor();
  assert.equal(await settledText(copy, '.page-head--line'), heading, 'it starts with the view');
  assert.match(await copy.locator('.strip').innerText(), /Rules changed/);
  const before = (await h.status(copy)).text;
  await h.drop(copy, join(h.fixtures, 'rebel/basic'));
  await copy.getByText('This sealed report is read-only').waitFor();
  assert.equal(await copy.getByText('Open files', { exact: true }).isVisible(), false);
  await copy.getByRole('button', { name: 'Dismiss' }).first().click();
  await copy.keyboard.press('o');
  await copy.getByText('This sealed report is read-only').waitFor();
  assert.equal((await h.status(copy)).text, before);
  await copy.getByRole('button', { name: 'Back to declared rules' }).click();
  await copy.locator('.strip').filter({ hasText: 'Rules changed' }).waitFor({ state: 'detached' });
  const { bytes } = await h.exportReport(copy);
  assert.equal(JSON.parse(bytes).runs.flatMap((run) => run.cases).length, cases.length);
  assert.deepEqual(copy.problems, []);
  const other = await openSealed(file, { hash: '#/1/audit' });
  await other.getByRole('heading', { name: 'Audit' }).waitFor();
  const early = await h.droppedEarly(env, (init) => openSealed(file, { init }), join(h.fixtures, 'rebel/basic'));
  await early.getByText('This sealed report is read-only').waitFor();
  assert.equal((await h.status(early)).text, before, 'what is dropped before its program runs is refused as well');
  await Promise.all([page, copy, other, early].map((one) => one.context().close()));
});

test('a host without the single file says so; a damaged block is named', async () => {
  const page = await opened(join(h.fixtures, 'rebel/guide'));
  const { file } = await seal(page, 'whole');
  await page.route('**/evalglass.html', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>another page</p>' }));
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByRole('menuitem', { name: /^Save as HTML/ }).click();
  await page.getByRole('button', { name: 'Prepare' }).click();
  await page.getByText('A report is made from evalglass.html').waitFor();
  const cut = join(folder, 'cut.html');
  writeFileSync(cut, readFileSync(file, 'utf8').replace(/(id="sealed"[^>]*>)[^<]*/, '$1H4sIAAAAAAACA'));
  const broken = await fromDisk(cut);
  const alert = broken.getByRole('alert').filter({ hasText: 'This sealed report cannot be opened' });
  await alert.getByText('The results in this file cannot be unpacked').waitFor();
  // The start page asks what the view of the report leads to; its panel fades in.
  await broken.locator('.panel--loading').waitFor({ state: 'detached' });
  assert.deepEqual(await h.axe(broken), []);
  await Promise.all([page.context().close(), broken.context().close()]);
});

test('the dialog in both colours and on a phone', async () => {
  for (const [name, options] of [['light-wide', { colorScheme: 'light', viewport: { width: 1440, height: 900 } }], ['dark-narrow', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }]]) {
    const page = await opened(join(h.fixtures, 'letta-evals/0.25.1_reward'), options);
    await page.getByRole('button', { name: /^Export/ }).click();
    await page.getByRole('menuitem', { name: /^Save as HTML/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as HTML' });
    await dialog.getByLabel('Patterns').fill('invoices? did [^?]+');
    assert.deepEqual(await h.axe(page), []);
    await h.picture(page, `seal-form-${name}`);
    await dialog.getByRole('button', { name: 'Prepare' }).click();
    await dialog.getByRole('button', { name: 'Save' }).waitFor();
    assert.deepEqual(await h.axe(page), []);
    await h.picture(page, `seal-ready-${name}`);
    await dialog.getByLabel('Details').uncheck();
    assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), 'what was prepared is not what the form says');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('the scripts of the single file are those that its policy names', () => {
  const html = readFileSync(single, 'utf8');
  const [, script] = /<script type="module">([\s\S]*?)<\/script>/.exec(html);
  assert.ok(html.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`));
  assert.ok(script.includes('unpackedBlob'));
});
