// Takes the pictures of README and guide from the built page: node scripts/pictures.mjs (after `make dist`). Look at them before you
// commit.
import { join } from 'node:path';
import * as h from '../tests/e2e/harness.mjs';

const size = { width: 1440, height: 900 };
const docs = join(h.root, 'docs');
const fixture = (name) => join(h.fixtures, name);

/** Opens the folder `open` (none: the start page) and takes a picture of each of `views`: its name, its address, and what to do before. */
const SHOTS = [
  { views: [['guide/start', '']] },
  {
    open: 'slop-code/g1/runs',
    views: [
      ['overview', '#/1/overview?of=0.0'],
      ['guide/overview', '#/1/overview?of=0'],
      ['guide/cases', '#/1/cases?find=outcome:failed'],
      ['guide/failures', '#/1/failures'],
      ['guide/rules', '#/1/rules'],
      ['guide/trends', '#/1/trends'],
      ['guide/audit', '#/1/audit'],
    ],
  },
  { open: 'letta-evals/0.26.0_reward_multirun', views: [['guide/statistics', '#/1/statistics'], ['guide/case', '#/1/cases?case=0.0.0']] },
  { open: 'letta-evals/0.26.0_reward_multirun', views: [['guide/sql', `#/1/sql?query=${encodeURIComponent('SELECT subject, repeat, total, passed, mean_score, cost_usd\nFROM run_figures\nORDER BY mean_score DESC')}`, '.sql__answered']] },
  { open: 'slop-code/agent/crashed_run', views: [['guide/agent', '#/1/agent?of=0.2']] },
];

const env = await h.start();
try {
  for (const { open, views } of SHOTS) {
    const page = await h.openPage(env, { viewport: size, reducedMotion: 'reduce' });
    if (open) {
      await h.openFolder(page, fixture(open));
      await h.waitFor(page, 'ready');
    }
    for (const [name, address, waited] of views) {
      if (address) await page.evaluate((hash) => { location.hash = hash; }, address);
      if (waited) await page.locator(waited).waitFor({ timeout: 90_000 });
      await page.waitForTimeout(1500);
      await page.mouse.move(0, 0);
      await page.screenshot({ path: join(docs, `${name}.png`) });
      console.log(`docs/${name}.png`);
    }
    await page.context().close();
  }
} finally {
  await env.stop();
}
