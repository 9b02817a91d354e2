// Puts the sample results beside the page, as one file: paths with their contents, as text or, where they are none, in
// base64. They are fixtures, read from where the tests read them, so that there is one set of files.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest, stage } from './stage.mjs';

const SAMPLES = [
  ['tests/fixtures/slop-code/g1/runs', 'slop-code'],
  ['tests/fixtures/slop-code/g2/v1.0', 'slop-code'],
  ['tests/fixtures/letta-evals/0.15.0_logical_multirun', 'letta-evals/support-agent'],
  ['tests/fixtures/letta-evals/0.26.0_reward_multirun', 'letta-evals/reward-suite'],
  ['tests/fixtures/rebel/basic', 'rebel'],
];
// What the fixtures' makers added, and what no reader reads.
const LEFT_OUT = /(^|\/)(expected\.json|console\.txt|stdout\.txt|stderr\.txt|quality_analysis)$/;

const files = {};
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const take = (from, to) => {
  if (LEFT_OUT.test(from)) return;
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from).sort()) take(join(from, name), `${to}/${name}`);
    return;
  }
  const bytes = readFileSync(from);
  try { files[to] = utf8.decode(bytes); } catch { files[to] = { base64: bytes.toString('base64') }; }
};
for (const [from, to] of SAMPLES) {
  if (!existsSync(from)) throw new Error(`samples.mjs: ${from} is missing`);
  take(from, to);
}
const text = `${JSON.stringify(files)}\n`;
writeFileSync(join(stage, `samples-${digest(text)}.json`), text);
