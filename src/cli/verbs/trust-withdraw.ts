import { z } from 'zod';
import { withdrawTrustAnchor } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'trust withdraw <id>',
  summary: 'Judge nothing against an anchor from now on; what was found before stays as it is.',
  options: [['--reason <text>', 'why, in words; it is recorded with your login'], AS_LOGIN],
  input: z.strictObject({
    id: z.coerce.number('expected the number of an anchor').int().min(1).max(2_147_483_647),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: ({ id, reason, as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        await withdrawTrustAnchor(pool, { trustAnchorId: id, reason });
        return {
          json: { trust_anchor_id: id },
          text: `Nothing is judged against anchor ${id} from now on. To judge documents again: docket signatures recheck JOB`,
        };
      }),
    ),
});
