// A letta-evals folder with one case of each kind that is hard to show: huge or hostile. For tests and for bench/.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtures, out } from './harness.mjs';

export const HOSTILE = '<script>window.__ran = 1</script><img src=x onerror="window.__ran = 2"> "\'><b>\u202Edrawkcab\u202C שלום 👩‍👩‍👧‍👦';
export const ID = `id-${'x[long]'.repeat(37)}<b>`;

/** The cases in their order. */
export const CASES = ['transcript', 'difference', 'failure', ID, 'tree'];

/** Writes the folder; returns its path. */
export function build() {
  const folder = join(out, 'reading');
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
    { id: 'tree', submission: JSON.stringify({ rows: Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `row ${i}`, tags: ['x', 'y'], deep: { value: i } })) }) },
  ];
  const row = ({ id, truth = 'yes', submission = 'no', trajectory = [[]], error }) => JSON.stringify({ type: 'result', result: {
    sample: { id, input: id === ID ? HOSTILE : 'hello', ground_truth: truth }, submission, trajectory, agent_id: 'a',
    grade: { score: 0, rationale: HOSTILE }, grades: { g: { score: 0, rationale: HOSTILE } }, ...(error ? { error } : {}) } });
  writeFileSync(join(folder, 'results.jsonl'), `${cases.map(row).join('\n')}\n`);
  return folder;
}

const report = join(fixtures, 'rebel/guide/report.json');

/** Writes `n` small REBEL reports, each in a folder of its own; returns the path of all of them. */
export function buildMany(n) {
  const folder = join(out, `many-${n}`);
  for (let i = 0; i < n; i += 1) {
    const own = join(folder, `model-${i}`);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'test_results_20260101_000000.json'), readFileSync(report));
  }
  return folder;
}
