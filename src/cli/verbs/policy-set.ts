import { z } from 'zod';
import { setEnvelopePolicy } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

/** What becomes of documents by each requirement. */
const SAID = {
  recorded: 'are taken whatever their signatures are',
  intact: 'are refused where a signature cannot be read or does not fit',
  signed: 'are refused without a valid signature over the whole document',
};

export default defineVerb({
  usage: 'policy set <requirement>',
  summary:
    'Say which signatures documents need whose bytes are seen from now on: recorded, intact or signed.',
  options: [
    ['--source <name>', 'documents of this source; default: of every source'],
    ['--kind <kind>', 'documents of this kind; default: of every kind'],
    ['--signers <number>', 'for signed: how many different signers must have signed; default 1'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    requirement: z.enum(['recorded', 'intact', 'signed'], 'expected recorded, intact or signed'),
    source: z.string().optional(),
    kind: z.string().optional(),
    signers: z.coerce.number('expected a whole number').int('expected a whole number').optional(),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  run: ({ requirement, source, kind, signers, reason, as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const [row] = await setEnvelopePolicy(pool, {
          requirement,
          reason,
          ...(source !== undefined && { sourceId: source }),
          ...(kind !== undefined && { documentKind: kind }),
          ...(signers !== undefined && { signersRequired: signers }),
        });
        const which = `Documents of ${kind === undefined ? 'every kind' : `kind ${kind}`} by ${source ?? 'every source'}`;
        return {
          json: {
            envelope_policy_id: row?.envelope_policy_id,
            requirement,
            source: source ?? null,
            document_kind: kind ?? null,
            signers_required: signers ?? 1,
          },
          text: `${which} ${SAID[requirement]}${(signers ?? 1) > 1 ? `, by ${signers} signers` : ''}.`,
        };
      }),
    ),
});
