import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFixture } from './fixture.ts';
import { awaitsIn, KillPoints } from './kill-points.ts';

const fixture = await createFixture();
const stage = new KillPoints(fixture);
const places = await stage.find();

test('the documents of this test lead through every await of the tasks', () => {
  const awaits = awaitsIn('src/tasks/*.ts');
  assert.ok(awaits.length >= 5);
  assert.deepEqual(
    awaits.filter(({ holds }) => !places.some(holds)).map(({ name }) => name),
    [],
  );
});

test('workers that die before or after any await of a task leave one result of each document', async (t) => {
  const inTasks = places.filter((place) => place.startsWith('src/tasks/'));
  const points = (['before', 'after'] as const).flatMap((when) => inTasks.map((place) => ({ place, when })));
  t.diagnostic(`${String(points.length)} points`);
  await stage.kill(points);
  await stage.verify();
});
