import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'checkpoint show [size]',
  summary:
    'Print the newest checkpoint of the log, or the one of a size: a signed note, to be kept elsewhere.',
  input: z.strictObject({
    size: z
      .string()
      .regex(/^\d{1,18}$/, 'expected the size of a checkpoint')
      .optional(),
  }),
  run: ({ size }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      let wanted = reader.selectFrom('docket_audit.checkpoints').select('note');
      if (size !== undefined) wanted = wanted.where('size', '=', size);
      const newest = await wanted
        .orderBy('epoch', 'desc')
        .orderBy('size', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!newest) {
        throw new DocketError(
          'CHECKPOINT_NOT_FOUND',
          size === undefined ? 'no checkpoint was signed yet' : `there is no checkpoint of ${size} leaves`,
          { hint: 'see docket checkpoint list; checkpoints are signed by a worker that has the key for it' },
        );
      }
      // A note ends with a line feed of its own; the answer gets one.
      return { json: { note: newest.note }, text: newest.note.replace(/\n$/, '') };
    }),
});
