import { test } from 'node:test';
import { seeded } from '../support/seeded.ts';
import { createFixture } from './fixture.ts';
import { storm } from './storm.ts';

const fixture = await createFixture();

test('250 random kills of three worker processes lose no job and publish none twice', async (t) => {
  const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
  t.diagnostic(`TEST_SEED=${seed}`);
  const seen = await storm(fixture, {
    jobs: 3_000,
    kills: 250,
    recogniseMs: 60,
    withinMs: 300_000,
    random: seeded(seed),
  });
  t.diagnostic(JSON.stringify(seen));
});
