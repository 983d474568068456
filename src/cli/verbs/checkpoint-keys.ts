import { z } from 'zod';
import { formatVerifierKey, verifierKey } from '../../domain/verifier-key.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'checkpoint keys',
  summary:
    'Print the public keys of all checkpoints as NAME+KEYID+BASE64, the newest first, for whoever verifies.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const rows = await reader
        .selectFrom('docket_audit.checkpoint_keys')
        .select(['name', 'public_key', 'added_at'])
        .orderBy('added_at', 'desc')
        .execute();
      const keys = rows.map((row) => ({
        key: formatVerifierKey(verifierKey(row.name, row.public_key)),
        added_at: isoTime(row.added_at),
      }));
      return { json: { keys }, text: keys.map(({ key }) => key).join('\n') };
    }),
});
