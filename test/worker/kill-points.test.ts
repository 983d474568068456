import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFixture } from './fixture.ts';
import { awaitsIn, KillPoints } from './kill-points.ts';

/** Of the tasks both sides of each await, of every statement the moment it was answered; the soak takes all others too. */
const TASKS = 'src/tasks/';
const STATEMENTS = 'src/db/commands';

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

test('workers that die at an await of a task or at a statement leave one result of each document', async (t) => {
  const points = [
    ...places.filter((place) => place.startsWith(TASKS)).map((place) => ({ place, when: 'before' as const })),
    ...places
      .filter((place) => place.startsWith(TASKS) || place.startsWith(STATEMENTS))
      .map((place) => ({ place, when: 'after' as const })),
  ];
  t.diagnostic(`${String(points.length)} points`);
  await stage.kill(points);
  await stage.verify();
});
