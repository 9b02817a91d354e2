// A log of Inspect AI as its release 0.3.285 writes it, but made up: seeded, so that it is the same each time.
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { out } from '../tests/e2e/harness.mjs';

const MODEL = 'made-up/alpha-1', AT = '2026-11-22T10:10:43+00:00';

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n; });
const crc32 = (bytes) => { let crc = -1; for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8); return (crc ^ -1) >>> 0; };

/** A generator of numbers below `n`. */
const random = (seed) => { let x = seed * 2654435761 >>> 0 || 1; return (n) => { x ^= x << 13; x >>>= 0; x ^= x >>> 17; x ^= x << 5; x >>>= 0; return x % n; }; };

/** One sample: an agent that calls a tool until it has `bytes` of answers. */
function sample(id, bytes, seed) {
  const next = random(seed + id), name = (kind, n) => `${kind}${id}x${n}`;
  const text = (n) => { let words = ''; while (words.length < n) words += `${next(0x7fffffff).toString(36)} `; return words; };
  const is = next(4) > 0, value = is ? 'C' : 'I', graded = next(1000) / 1000;
  const input = `Question ${id}: ${text(200)}`, answer = `Answer ${id}: ${text(100)}`;
  const messages = [{ id: name('m', 0), content: input, source: 'input', role: 'user' }], events = [];
  const usage = { input_tokens: 20 + next(500), output_tokens: 20 + next(500), total_tokens: 0 };
  usage.total_tokens = usage.input_tokens + usage.output_tokens;
  const event = (kind, rest) => events.push({ uuid: name('e', events.length), span_id: name('s', 0), timestamp: AT, working_start: events.length / 100, event: kind, ...rest });
  event('span_begin', { id: name('s', 0), type: 'solver', name: 'agent' });
  const model = (message) => {
    event('model', { model: MODEL, input: [], input_refs: [[0, messages.length]], tools: [], tool_choice: 'auto', config: {}, output: { model: 'alpha-1', choices: [{ message, stop_reason: message.tool_calls ? 'tool_calls' : 'stop' }], completion: message.content, usage }, completed: AT, working_time: 0.01 });
    messages.push(message);
  };
  // A text of a tool stands three times in a sample: as message, as shared message of the events, as result.
  for (let n = 0; messages.reduce((sum, { content }) => sum + content.length, 0) * 3 < bytes; n += 1) {
    const call = { id: name('c', n), function: 'search', arguments: { query: text(40), page: n }, type: 'function' };
    model({ id: name('a', n), content: `I look at page ${n}.`, source: 'generate', role: 'assistant', tool_calls: [call], model: 'alpha-1' });
    const result = text(2000);
    event('tool', { type: 'function', id: call.id, function: 'search', arguments: call.arguments, result, events: [], completed: AT, working_time: 0.02, message_id: name('t', n) });
    messages.push({ id: name('t', n), content: result, role: 'tool', tool_call_id: call.id, function: 'search' });
  }
  model({ id: name('z', 0), content: answer, source: 'generate', role: 'assistant', model: 'alpha-1' });
  const scores = {
    includes: { value, answer, explanation: answer, history: [] },
    graded: { value: graded, answer, explanation: `graded **${graded}** of 1`, metadata: { n: answer.length }, history: [] },
  };
  event('span_end', { id: name('s', 0) });
  const shared = { id, epoch: 1, input, target: String(next(100)), metadata: { topic: ['math', 'geo', 'lang'][id % 3] }, scores };
  const told = { model_usage: { [MODEL]: usage }, role_usage: {}, started_at: AT, completed_at: AT, total_time: 1 + next(9000) / 1000, working_time: 1, uuid: name('u', 0) };
  return {
    is, graded, usage,
    whole: { ...shared, messages, output: { model: 'alpha-1', choices: [{ message: messages.at(-1), stop_reason: 'stop' }], completion: answer, usage }, store: {}, events, ...told, error_retries: [], attachments: {}, events_data: { messages, calls: [] }, turn_count: messages.length >> 1 },
    summary: { ...shared, ...told, retries: 0, completed: true, message_count: messages.length, turn_count: messages.length >> 1 },
  };
}

/** Packs files into the zip at `path`, one after the other, none of which is kept in memory; it is whole after `end`. */
function archive(path) {
  const list = [], unfinished = `${path}.new`, file = openSync(unfinished, 'w');
  let at = 0;
  const put = (...of) => { for (const bytes of of) { writeSync(file, bytes); at += bytes.length; } };
  const common = (crc, packed, bytes, name) => {
    const own = Buffer.alloc(24);
    own.writeUInt16LE(20, 0); own.writeUInt16LE(8, 4); own.writeUInt16LE(0x21, 8);
    own.writeUInt32LE(crc, 10); own.writeUInt32LE(packed.length, 14); own.writeUInt32LE(bytes.length, 18); own.writeUInt16LE(name.length, 22);
    return own;
  };
  return {
    add(path, value) {
      const bytes = Buffer.from(JSON.stringify(value)), packed = deflateRawSync(bytes), name = Buffer.from(path);
      const own = common(crc32(bytes), packed, bytes, name), place = Buffer.alloc(16);
      place.writeUInt32LE(at, 12);
      list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), own, place, name]));
      put(Buffer.from('PK\x03\x04', 'latin1'), own, Buffer.alloc(2), name, packed);
    },
    end() {
      const start = at, end = Buffer.alloc(22);
      put(...list);
      end.write('PK\x05\x06', 'latin1');
      end.writeUInt16LE(list.length, 8); end.writeUInt16LE(list.length, 10);
      end.writeUInt32LE(at - start, 12); end.writeUInt32LE(start, 16);
      put(end);
      closeSync(file);
      renameSync(unfinished, path);
    },
  };
}

/** The path of a log with `samples` samples of about `bytes` bytes each, unpacked; written where it is not there yet. */
export function inspectLog({ samples, bytes, seed = 1 }) {
  const path = join(out, `inspect-${samples}-${bytes}-${seed}`, '2026-11-22T10-10-43-00-00_made_cSVBs4WjVFVxgmzsi89ZyU.eval');
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const zip = archive(path), summaries = [], all = Array.from({ length: samples }, (_, n) => n + 1);
  const scorer = (name, ...metrics) => ({ name, options: {}, metrics: metrics.map((metric) => ({ name: `inspect_ai/${metric}`, options: {} })), metadata: {} });
  const evaluated = {
    eval_id: 'made', run_id: 'made', created: AT, task: 'made', task_id: 'cSVBs4WjVFVxgmzsi89ZyU', task_version: 0, task_display_name: 'made', task_attribs: {}, task_args: {}, task_args_passed: {},
    dataset: { name: 'made', samples, sample_ids: all, shuffled: false }, model: MODEL, model_generate_config: {}, model_args: {},
    config: { epochs: 1 }, packages: { inspect_ai: '0.3.285' }, scorers: [scorer('includes', 'accuracy', 'stderr'), scorer('graded', 'mean', 'stderr')],
  };
  const plan = { name: 'plan', steps: [{ solver: 'agent', params: {}, params_passed: {} }], config: {} };
  zip.add('_journal/start.json', { version: 2, eval: evaluated, plan });
  let waiting = [];
  const sums = { is: [], graded: [], usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } };
  for (const id of all) {
    const { is, graded, usage, whole, summary } = sample(id, bytes, seed * 100_000);
    zip.add(`samples/${id}_epoch_1.json`, whole);
    sums.is.push(Number(is)); sums.graded.push(graded);
    for (const key of Object.keys(usage)) sums.usage[key] += usage[key];
    summaries.push(summary); waiting.push(summary);
    if (waiting.length === 10) { zip.add(`_journal/summaries/${summaries.length / 10}.json`, waiting); waiting = []; }
  }
  const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const stderr = (list) => { const m = mean(list); return Math.sqrt(list.reduce((sum, one) => sum + (one - m) ** 2, 0) / (list.length - 1) / list.length); };
  const score = (name, list, metric) => ({ name, scorer: name, scored_samples: samples, unscored_samples: 0, params: {}, metrics: {
    [metric]: { name: metric, value: mean(list), params: {} }, stderr: { name: 'stderr', value: stderr(list), params: {} } } });
  const reduced = (name, list) => ({ scorer: name, samples: list.map((value, n) => ({ value, history: [], sample_id: n + 1 })) });
  zip.add('summaries.json', summaries);
  zip.add('reductions.json', [reduced('includes', sums.is), reduced('graded', sums.graded)]);
  zip.add('header.json', {
    version: 2, status: 'success', eval: evaluated, plan,
    results: { total_samples: samples, completed_samples: samples, logged_samples: samples, scores: [score('includes', sums.is, 'accuracy'), score('graded', sums.graded, 'mean')], headline: { scorer: 'includes', score: 'includes', metric: 'accuracy' } },
    stats: { started_at: AT, completed_at: AT, model_usage: { [MODEL]: sums.usage }, role_usage: {} }, invalidated: false, tags: [], metadata: {},
  });
  zip.end();
  return path;
}
