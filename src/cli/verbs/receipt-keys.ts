import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'receipt keys',
  summary: 'Print the public keys of all receipts as a JWK set, the newest first, for whoever verifies.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const rows = await reader
        .selectFrom('docket.receipt_keys')
        .select('public_jwk')
        .orderBy('added_at', 'desc')
        .execute();
      const set = { keys: rows.map((row): unknown => JSON.parse(row.public_jwk)) };
      return { json: set, text: JSON.stringify(set, null, 2) };
    }),
});
