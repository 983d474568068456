import { test } from 'node:test';
import { postgresStorm } from './postgres-storm.ts';

test('a worker outlives kills of Postgres: it goes on by itself, every job is published once, and it can still be stopped', async (t) => {
  t.diagnostic(JSON.stringify(await postgresStorm({ kills: 2, jobsEach: 100 })));
});
