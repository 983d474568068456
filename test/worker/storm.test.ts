import { test } from 'node:test';
import { seeded } from '../support/seeded.ts';
import { createFixture } from './fixture.ts';
import { storm } from './storm.ts';

const fixture = await createFixture();

test(
  '50 random kills of three worker processes lose no job and publish none twice',
  { timeout: 170_000 },
  async (t) => {
    const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
    t.diagnostic(`TEST_SEED=${seed}`);
    const seen = await storm(fixture, {
      jobs: 400,
      kills: 50,
      recogniseMs: 60,
      withinMs: 60_000,
      random: seeded(seed),
    });
    t.diagnostic(JSON.stringify(seen));
  },
);
