import { z } from 'zod';
import { setSourceEnabled } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source enable <name>',
  summary: 'Let a source deliver again.',
  input: z.strictObject({ name: z.string() }),
  run: ({ name }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      await setSourceEnabled(as('docket_operator'), { sourceId: name, isEnabled: true });
      return { json: { source: name, enabled: true }, text: `${name} may deliver.` };
    }),
});
