import { test } from 'node:test';
import { createFixture } from './fixture.ts';
import { KillPoints } from './kill-points.ts';

const fixture = await createFixture();

test('workers that die when any of their statements is answered leave one result of each document', async (t) => {
  const stage = new KillPoints(fixture);
  const places = await stage.find();
  const points = places
    .filter((place) => place.startsWith('src/db/commands.ts'))
    .map((place) => ({ place, when: 'after' as const }));
  t.diagnostic(`${String(points.length)} points`);
  await stage.kill(points);
  await stage.verify();
});
