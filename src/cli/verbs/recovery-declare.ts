import { z } from 'zod';
import type { DeclareRecoveryRow } from '../../db/commands.ts';
import { declareRecovery } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';
import { newestFirst } from '../verify/check-copy.ts';
import { readLogSpans } from '../verify/log-spans.ts';
import { readOutsideCopies } from '../verify/outside-copies.ts';

/** The last events of a restored log are sealed in it. */
const WITHOUT_LIMIT = 0;

export default defineVerb({
  usage: 'recovery declare',
  summary:
    'After a restore: go on with the log, and say what the newest checkpoint outside shows to be lost.',
  options: [
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    ['--checkpoint <file>', 'a checkpoint that you kept, newer than those of the file and the bucket'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    reason: z.string('required'),
    checkpoint: z.string().optional(),
    as: z.string().optional(),
  }),
  run: ({ reason, checkpoint, as }, { config, log, tell, interrupted }) =>
    withDatabase(config, { log, statementTimeoutMs: WITHOUT_LIMIT }, async (database) => {
      const spans = await readLogSpans(database);
      const copies = await readOutsideCopies(config, spans, { given: checkpoint, signal: interrupted });
      for (const { place, failure } of copies)
        if (failure !== null) tell(`${place} could not be looked at: ${failure}`);
      const [last] = newestFirst(
        copies.flatMap((copy) => copy.checkpoints),
        spans,
      );
      return actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const [row] = await declareRecovery(pool, { reason, lastCheckpoint: last?.note ?? null });
        if (!row) throw new DocketError('DATABASE_ERROR', 'the recovery was not recorded');
        const { epoch, size, finding } = row;
        const facts = {
          epoch,
          origin: row.origin,
          size: Number(size),
          checkpoint_size: row.checkpoint_size === null ? null : Number(row.checkpoint_size),
          lost_leaves: row.lost_leaves === null ? null : Number(row.lost_leaves),
          finding,
        };
        return {
          json: facts,
          text: [
            `Epoch ${epoch} of the log has begun, with ${size} leaves: ${row.origin}`,
            `  ${sentenceOf(row)}`,
            '  Whoever trusts checkpoints of this log, and every witness, has to be told of the new name: docket checkpoint keys',
          ].join('\n'),
        };
      });
    }),
});

function sentenceOf({ finding, checkpoint_size: size, lost_leaves: lost }: DeclareRecoveryRow): string {
  if (finding === 'nothing') return `The checkpoint of ${size} leaves shows that nothing it counts was lost.`;
  if (finding === 'lost') return `The checkpoint of ${size} leaves shows that at least ${lost} are lost.`;
  if (finding === 'forked') {
    return `The checkpoint of ${size} leaves is of other leaves than there are: events were recorded in their place after the restore, or the log was changed.`;
  }
  return 'No checkpoint was found outside the database: nobody can tell what was lost.';
}
