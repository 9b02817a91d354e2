// How setup.sh comes by Trunk and wasm-bindgen, without a network: a server on this machine gives archives, and stand-ins for
// `cargo`, `cargo-binstall` and `curl` write down what they were called with.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const home = mkdtempSync(join(tmpdir(), 'evalglass-setup-'));
const machine = execFileSync('bash', ['-c', '. scripts/tools.sh; release_target'], { cwd: root, encoding: 'utf8' }).trim();
// Where there is no curl, nothing is downloaded: setup says so and compiles.
const fetches = { skip: spawnSync('curl', ['--version']).error && 'there is no curl' };
let count = 0, at, requests, answer;

const server = createServer((request, response) => { requests.push(request.url); answer(response); });
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
after(() => { server.close(); server.closeAllConnections(); rmSync(home, { recursive: true, force: true }); });

const write = (path, text) => { mkdirSync(dirname(path), { recursive: true }); writeFileSync(path, text); chmodSync(path, 0o755); };
const program = (name, version) => `#!/bin/sh\n[ "$1" = --version ] && echo "${name} ${version}"\n`;
const on = (name, text) => write(join(at, 'path', name), text);
const calls = () => (existsSync(join(at, 'calls')) ? readFileSync(join(at, 'calls'), 'utf8').trim().split('\n') : []);
const left = () => (existsSync(join(at, 'tools')) ? readdirSync(join(at, 'tools')).sort() : []);
const pin = (hash, { tool = 'trunk', version = '1.2.3', target = machine } = {}) => writeFileSync(join(at, 'pins'), `# pins\n${tool} ${version} ${target} ${hash}\n`);

/** A release archive with `files` ({path: text}); pinned by its own hash unless `pinned` is another. */
function archive(files, { pinned, ...of } = {}) {
  const from = join(at, 'archive');
  for (const [path, text] of Object.entries(files)) write(join(from, path), text);
  execFileSync('tar', ['-czf', join(at, 'archive.tar.gz'), '-C', from, ...readdirSync(from)]);
  const bytes = readFileSync(join(at, 'archive.tar.gz'));
  pin(pinned ?? createHash('sha256').update(bytes).digest('hex'), of);
  answer = (response) => response.end(bytes);
  return bytes;
}

/** `cargo install` that makes programs of `version`, as `cargo` would; `cargo binstall` goes to its own program. */
const cargo = (version = '1.2.3', names = ['trunk']) => on('cargo', `#!/bin/sh
[ "$1" = binstall ] && exec cargo-binstall "$@"
echo "cargo $*" >> "$CALLS"
while [ $# -gt 0 ]; do [ "$1" = --root ] && root="$2"; shift; done
mkdir -p "$root/bin" "$CARGO_TARGET_DIR/release"
for name in ${names.join(' ')}; do
  printf '#!/bin/sh\\necho "%s ${version}"\\n' "$name" > "$root/bin/$name"
  chmod +x "$root/bin/$name"
done
`);

/** Runs `tool` of scripts/tools.sh in a shell like setup.sh's: `{code, text}`. */
function run(words = 'trunk 1.2.3 trunk -- --locked trunk', { releases = `http://127.0.0.1:${server.address().port}`, began } = {}) {
  const script = `set -euo pipefail
say() { printf 'setup: %s\\n' "$*" >&2; }
die() { printf 'setup: %s\\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
. scripts/tools.sh
tool ${words}`;
  const env = {
    PATH: [join(at, 'path'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: at, CALLS: join(at, 'calls'),
    TOOLS: join(at, 'tools'), EVALGLASS_PINS: join(at, 'pins'), EVALGLASS_RELEASES: releases, NO_PROXY: '127.0.0.1',
  };
  return new Promise((done) => {
    const child = spawn('bash', ['-c', script], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const from of [child.stdout, child.stderr]) from.setEncoding('utf8').on('data', (part) => { text += part; began?.(child, text); });
    child.on('close', (code, signal) => done({ code: code ?? signal, text }));
  });
}

const installed = (name = 'trunk', version = '1.2.3') => execFileSync(join(at, `tools/${name}-${version}/bin/${name}`), ['--version'], { encoding: 'utf8' }).trim();

beforeEach(() => {
  count += 1;
  at = join(home, `${count}`);
  requests = [];
  answer = (response) => { response.statusCode = 404; response.end(); };
  mkdirSync(join(at, 'path'), { recursive: true });
  pin('0'.repeat(64), { version: '9.9.9' });
  cargo();
});

test('the pins are for the versions in use, each once, for a known target', () => {
  const lines = readFileSync(join(root, 'scripts/pins.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
  const versions = execFileSync('bash', ['-c', '. scripts/env.sh; echo "trunk $TRUNK_VERSION"; echo "wasm-bindgen $WASM_BINDGEN_VERSION"'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  for (const line of lines) {
    assert.match(line, /^(trunk|wasm-bindgen) \d+\.\d+\.\d+ (x86_64|aarch64)-(unknown-linux-musl|apple-darwin) [0-9a-f]{64}$/);
    assert.ok(versions.some((version) => line.startsWith(`${version} `)), `${line}: not a version in use`);
  }
  assert.equal(new Set(lines.map((line) => line.split(' ').slice(0, 3).join(' '))).size, lines.length);
  assert.equal(lines.filter((line) => line.startsWith(`${versions[0]} `)).length, 4);
});

test('what is on PATH in the right version is used, and nothing is installed', async () => {
  on('trunk', program('trunk', '1.2.3'));
  archive({ trunk: program('trunk', '1.2.3') });
  assert.deepEqual(await run(), { code: 0, text: '' });
  assert.deepEqual([requests, calls(), left()], [[], [], []]);
});

test('another version on PATH is not used', fetches, async () => {
  on('trunk', program('trunk', '1.2.30'));
  archive({ trunk: program('trunk', '1.2.3') });
  assert.equal((await run()).code, 0);
  assert.deepEqual([installed(), left()], ['trunk 1.2.3', ['trunk-1.2.3']]);
});

test('all programs of a tool must be there, not only the first', async () => {
  on('wasm-bindgen', program('wasm-bindgen', '1.2.3'));
  cargo('1.2.3', ['wasm-bindgen', 'wasm-bindgen-test-runner']);
  const { code } = await run('wasm-bindgen 1.2.3 wasm-bindgen wasm-bindgen-test-runner -- wasm-bindgen-cli');
  assert.deepEqual([code, installed('wasm-bindgen')], [0, 'wasm-bindgen 1.2.3']);
  assert.deepEqual(readdirSync(join(at, 'tools/wasm-bindgen-1.2.3/bin')).sort(), ['wasm-bindgen', 'wasm-bindgen-test-runner']);
});

test('an archive with the pinned hash is installed', fetches, async () => {
  archive({ trunk: program('trunk', '1.2.3') });
  const { code, text } = await run();
  assert.equal(code, 0, text);
  assert.deepEqual(requests, [`/trunk-rs/trunk/releases/download/v1.2.3/trunk-${machine}.tar.gz`]);
  assert.deepEqual([installed(), calls(), left()], ['trunk 1.2.3', [], ['trunk-1.2.3']]);
  assert.deepEqual(readdirSync(join(at, 'tools/trunk-1.2.3')), ['bin']);
});

test('programs in a folder of the archive are found', fetches, async () => {
  const folder = `wasm-bindgen-1.2.3-${machine}`;
  const names = ['wasm-bindgen', 'wasm-bindgen-test-runner'];
  archive(Object.fromEntries(names.map((name) => [`${folder}/${name}`, program(name, '1.2.3')])), { tool: 'wasm-bindgen' });
  const { code, text } = await run('wasm-bindgen 1.2.3 wasm-bindgen wasm-bindgen-test-runner -- wasm-bindgen-cli');
  assert.equal(code, 0, text);
  assert.deepEqual(requests, [`/wasm-bindgen/wasm-bindgen/releases/download/1.2.3/wasm-bindgen-1.2.3-${machine}.tar.gz`]);
  assert.deepEqual(readdirSync(join(at, 'tools/wasm-bindgen-1.2.3/bin')).sort(), names);
});

const COMPILED = /^cargo install --quiet --root \S+\/trunk-1\.2\.3\.new\.\d+ --version 1\.2\.3 --locked trunk$/;
/** The tool was compiled, and nothing else than it is there. */
function compiled({ code, text }, words) {
  assert.equal(code, 0, text);
  assert.match(text, words);
  assert.equal(calls().length, 1);
  assert.match(calls()[0], COMPILED);
  assert.deepEqual([installed(), left(), readdirSync(join(at, 'tools/trunk-1.2.3'))], ['trunk 1.2.3', ['trunk-1.2.3'], ['bin']]);
}

test('an archive with another hash is named and never run', fetches, async () => {
  archive({ trunk: `#!/bin/sh\ntouch "$HOME/was-run"\necho "trunk 1.2.3"\n` }, { pinned: 'a'.repeat(64) });
  compiled(await run(), /the archive has SHA-256 [0-9a-f]{64}, not a{64}; it is not used/);
  assert.ok(!existsSync(join(at, 'was-run')));
});

test('an archive that is cut off is not used', fetches, async () => {
  const bytes = archive({ trunk: program('trunk', '1.2.3') });
  answer = (response) => {
    response.setHeader('content-length', bytes.length);
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  };
  compiled(await run(), /is compiled, once/);
  assert.equal(requests.length, 1);
});

test('an archive that is not there is asked for once', fetches, async () => {
  pin('b'.repeat(64));
  compiled(await run(), /404/);
  assert.equal(requests.length, 1);
});

test('a host that cannot be reached costs one try, with limits', fetches, async () => {
  pin('b'.repeat(64));
  on('curl', '#!/bin/sh\necho "$*" > "$HOME/curl"\nexec /usr/bin/env PATH=/usr/bin:/bin curl "$@"\n');
  const closed = createServer();
  await new Promise((done) => { closed.listen(0, '127.0.0.1', done); });
  const { port } = closed.address();
  await new Promise((done) => { closed.close(done); });
  compiled(await run(undefined, { releases: `http://127.0.0.1:${port}` }), /is compiled, once/);
  assert.match(readFileSync(join(at, 'curl'), 'utf8'), /^--fail .*--connect-timeout 5 --max-time 120 /);
});

test('an archive whose program does not run here, or is another version, is not used', fetches, async () => {
  archive({ trunk: program('trunk', '1.2.4') });
  compiled(await run(), /what came by archive does not run here/);
});

test('a version or a machine without a pin is not asked for', async () => {
  pin('c'.repeat(64), { target: 'riscv64-unknown-linux-musl' });
  compiled(await run(), /no archive with a known hash/);
  assert.deepEqual(requests, []);
});

test('cargo binstall comes first, where it is installed', async () => {
  archive({ trunk: program('trunk', '1.2.3') });
  on('cargo-binstall', `#!/bin/sh
echo "$* telemetry-off=$BINSTALL_DISABLE_TELEMETRY" >> "$CALLS"
while [ $# -gt 0 ]; do [ "$1" = --root ] && root="$2"; shift; done
mkdir -p "$root/bin"
printf '#!/bin/sh\\necho "trunk 1.2.3"\\n' > "$root/bin/trunk"
chmod +x "$root/bin/trunk"
`);
  const { code, text } = await run();
  assert.equal(code, 0, text);
  assert.match(calls().join('\n'), /^binstall --no-confirm --disable-strategies compile --no-track --root \S+ --version 1\.2\.3 trunk telemetry-off=true$/);
  assert.deepEqual([installed(), requests, left()], ['trunk 1.2.3', [], ['trunk-1.2.3']]);
});

test('what cargo binstall leaves unfinished is gone before the archive is tried', fetches, async () => {
  archive({ trunk: program('trunk', '1.2.3') });
  on('cargo-binstall', '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = --root ] && root="$2"; shift; done\nmkdir -p "$root/bin"\necho half > "$root/bin/rest"\nexit 94\n');
  const { code, text } = await run();
  assert.equal(code, 0, text);
  assert.deepEqual([installed(), calls(), readdirSync(join(at, 'tools/trunk-1.2.3/bin'))], ['trunk 1.2.3', [], ['trunk']]);
});

test('where nothing works, the command to try is named and nothing is left', async () => {
  on('cargo', '#!/bin/sh\nexit 101\n');
  const { code, text } = await run();
  assert.equal(code, 1);
  assert.match(text, /trunk 1\.2\.3 could not be installed\. Try: {2}cargo install --root "\S+\/trunk-1\.2\.3" --version 1\.2\.3 --locked trunk\n$/);
  assert.deepEqual(left(), []);
});

test('an interrupted installation leaves nothing; that of a run that was killed is cleared away', async () => {
  mkdirSync(join(at, 'tools/trunk-1.2.3.new.999999999/bin'), { recursive: true });
  on('cargo', '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = --root ] && root="$2"; shift; done\nmkdir -p "$root/bin"\necho started\nexec sleep 60\n');
  let seen = null;
  const { code } = await run(undefined, { began: (child, text) => {
    if (seen || !text.includes('started')) return;
    seen = left();
    process.kill(-child.pid, 'SIGTERM');
  } });
  assert.notEqual(code, 0);
  assert.match(seen.join(), /^trunk-1\.2\.3\.new\.\d+$/);
  assert.ok(!seen[0].endsWith('.999999999'));
  assert.deepEqual(left(), []);
});
