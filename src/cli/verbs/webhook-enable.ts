import { z } from 'zod';
import { setWebhookEnabled } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'webhook enable <number>',
  summary: 'Send to a webhook again, and at once what waits for it, also what failed and would wait longer.',
  input: z.strictObject({
    number: z.coerce.number('expected the number of a webhook').int().positive().max(2_147_483_647),
  }),
  run: ({ number: webhook }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      await setWebhookEnabled(as('docket_operator'), { webhookId: webhook, isEnabled: true });
      return {
        json: { webhook, enabled: true },
        text: `Webhook ${webhook} is sent what waits for it, and what is issued from now on.`,
      };
    }),
});
