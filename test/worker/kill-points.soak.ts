import { test } from 'node:test';
import { createFixture } from './fixture.ts';
import { KillPoints } from './kill-points.ts';

const fixture = await createFixture();

test('workers that die before or after any await at all leave one result of each document', async (t) => {
  const stage = new KillPoints(fixture);
  const places = await stage.find();
  const points = (['before', 'after'] as const).flatMap((when) => places.map((place) => ({ place, when })));
  t.diagnostic(`${String(points.length)} points`);
  await stage.kill(points);
  await stage.verify();
});
