import { z } from 'zod';
import { keptCheckpoint } from '../../checkpoints/kept-checkpoint.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'checkpoint list',
  summary: 'List the newest checkpoints of the log, the newest first, and where copies are kept.',
  options: [['--limit <n>', 'how many; 20 unless stated']],
  input: z.strictObject({
    limit: z.coerce.number('expected a number').int('expected a number').min(1).max(10_000).default(20),
  }),
  run: ({ limit }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const checkpoints = (
        await reader
          .selectFrom('docket_audit.checkpoints')
          .select(['epoch', 'size', 'note', 'recorded_at'])
          .orderBy('epoch', 'desc')
          .orderBy('size', 'desc')
          .limit(limit)
          .execute()
      ).map(({ note, size, recorded_at, epoch }) => {
        const { origin, root, signatures } = keptCheckpoint(note);
        return {
          epoch,
          origin,
          size: Number(size),
          root: Buffer.from(root).toString('hex'),
          recorded_at: isoTime(recorded_at),
          signed_by: signatures.map(({ name, keyId }) => `${name}+${keyId}`),
        };
      });
      const places = (
        await reader.selectFrom('docket_audit.checkpoint_places').selectAll().orderBy('place').execute()
      ).map(({ size, copied_at, failed_at, ...place }) => ({
        ...place,
        size: size === null ? null : Number(size),
        copied_at: isoTime(copied_at),
        failed_at: isoTime(failed_at),
      }));
      return {
        json: { checkpoints, places },
        text: [
          checkpoints.length === 0
            ? 'No checkpoint was signed yet.'
            : textTable(
                ['epoch', 'size', 'root', 'recorded', 'signatures'],
                checkpoints.map((one) => [
                  one.epoch,
                  one.size,
                  one.root,
                  one.recorded_at,
                  one.signed_by.length,
                ]),
              ),
          ...(places.length === 0
            ? []
            : [
                '',
                'Copies, as the signer says; look there before you believe it:',
                textTable(
                  ['kind', 'place', 'size', 'since', 'failure'],
                  places.map((one) => [one.kind, one.place, one.size, one.copied_at, one.failure]),
                ),
              ]),
        ].join('\n'),
      };
    }),
});
