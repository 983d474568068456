import { test } from 'node:test';
import { hammer } from '../sql/hammer.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();

test('for five minutes, every proof between checkpoints and of acknowledged events holds', async (t) => {
  t.diagnostic(JSON.stringify(await hammer(database, 300_000)));
});
