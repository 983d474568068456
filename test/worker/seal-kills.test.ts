import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealStorm } from './seal-storm.ts';

test('five kills of Postgres under load lose nothing that was acknowledged, and fork no checkpoint', async (t) => {
  const storm = await sealStorm({ kills: 5 });
  t.diagnostic(JSON.stringify(storm));
  assert.deepEqual([storm.lost, storm.forks], [0, 0]);
  assert.ok(storm.checkpoints > 5 && storm.acknowledged > 0);
});
