import { z } from 'zod';
import { setWebhookEnabled } from '../../db/commands.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'webhook disable <number>',
  summary: 'Send nothing to a webhook until it is enabled; what is issued meanwhile waits for it.',
  input: z.strictObject({
    number: z.coerce.number('expected the number of a webhook').int().positive().max(2_147_483_647),
  }),
  run: ({ number: webhook }, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      await setWebhookEnabled(as('docket_operator'), { webhookId: webhook, isEnabled: false });
      return {
        json: { webhook, enabled: false },
        text: `Webhook ${webhook} is sent nothing until it is enabled; what is issued meanwhile waits for it.`,
      };
    }),
});
