// Trunk's second post_build hook: puts the sample results beside the page. They are fixtures, copied from where the tests
// read them, so that there is one set of files; `samples/manifest.json` lists their paths.
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SAMPLES = [
  ['tests/fixtures/slop-code/g1/runs', 'slop-code'],
  ['tests/fixtures/slop-code/g2/v1.0', 'slop-code'],
  ['tests/fixtures/letta-evals/0.15.0_logical_multirun', 'letta-evals/support-agent'],
  ['tests/fixtures/letta-evals/0.26.0_reward_multirun', 'letta-evals/reward-suite'],
  ['tests/fixtures/rebel/basic', 'rebel'],
];
// What the fixtures' makers added, and what no reader reads.
const LEFT_OUT = /(^|\/)(expected\.json|console\.txt|stdout\.txt|stderr\.txt|quality_analysis)$/;

const out = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
if (!out) throw new Error('samples.mjs: TRUNK_STAGING_DIR is not set and no folder was given');
const paths = [];
const copy = (from, to) => {
  if (LEFT_OUT.test(from)) return;
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from).sort()) copy(join(from, name), `${to}/${name}`);
    return;
  }
  const target = join(out, 'samples', to);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target);
  paths.push(to);
};
for (const [from, to] of SAMPLES) {
  if (!existsSync(from)) throw new Error(`samples.mjs: ${from} is missing`);
  copy(from, to);
}
writeFileSync(join(out, 'samples', 'manifest.json'), `${JSON.stringify(paths, null, 1)}\n`);
