import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../support/seeded.ts';
import { recoveryStorm } from './recovery-storm.ts';

test(
  'workers and Postgres die at random, one worker stands still: nothing is lost, doubled, or left in the clear',
  { timeout: 170_000 },
  async (t) => {
    const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
    t.diagnostic(`TEST_SEED=${String(seed)}`);
    const seen = await recoveryStorm({
      ...{ kills: 10, stops: 1, postgresKills: 2, pdfEvery: 40, betweenMs: 1_000 },
      random: seeded(seed),
    });
    t.diagnostic(JSON.stringify(seen));
    assert.deepEqual([seen.lost, seen.doubled, seen.plaintext_left], [0, 0, 0]);
    assert.ok(seen.restarts > 0);
  },
);
