import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { hammer } from './hammer.ts';

const database = await createTestDatabase();

test('while writers write, every proof between checkpoints and of acknowledged events holds', async (t) => {
  const seen = await hammer(database, 6_000);
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.events > 100 && seen.checkpoints > 5 && seen.inclusions > 20 && seen.consistencies > 20);
});
