import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../support/seeded.ts';
import { recoveryStorm } from './recovery-storm.ts';

test('200 kills of workers, 10 stops and 25 kills of Postgres: nothing is lost, doubled, or left in the clear', async (t) => {
  const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
  t.diagnostic(`TEST_SEED=${String(seed)}`);
  const seen = await recoveryStorm({
    ...{ kills: 200, stops: 10, postgresKills: 25, pdfEvery: 40, betweenMs: 1_000 },
    random: seeded(seed),
  });
  t.diagnostic(JSON.stringify(seen));
  assert.deepEqual([seen.lost, seen.doubled, seen.plaintext_left], [0, 0, 0]);
});
