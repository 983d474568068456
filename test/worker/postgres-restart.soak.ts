import { test } from 'node:test';
import { postgresStorm } from './postgres-storm.ts';

test('25 kills of Postgres lose no acknowledged delivery, and need no restart of the worker', async (t) => {
  t.diagnostic(JSON.stringify(await postgresStorm({ kills: 25, jobsEach: 400 })));
});
