import { z } from 'zod';
import { setSourceEnabled } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'source disable <name>',
  summary: 'Refuse further deliveries of a source; what it delivered goes on.',
  input: z.strictObject({ name: z.string() }),
  run: ({ name }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      await setSourceEnabled(as('docket_operator'), { sourceId: name, isEnabled: false });
      return {
        json: { source: name, enabled: false },
        text: `${name} may no longer deliver; what it delivered goes on.`,
      };
    }),
});
