import { z } from 'zod';
import { allowAutomaticRollback } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { defineControlChange, spanArgument } from '../control-change.ts';

export default defineControlChange({
  usage: 'ocr automatic',
  summary:
    'Say whether a rollback may begin by itself, when a rollback threshold is crossed after an activation.',
  options: [
    ['--within <span>', 'within this time after it, from 1 second to 7 days, such as "1 hour"'],
    ['--never', 'never: an operator begins it'],
  ],
  what: { within: spanArgument.optional(), never: z.boolean().default(false) },
  canEnd: false,
  change(db, { within, never }, { reason }) {
    if ((within === undefined) !== never) {
      throw new DocketError('USAGE', 'state --within, or --never: one of them', {
        hint: 'docket ocr automatic --help',
      });
    }
    return allowAutomaticRollback(db, { within: within ?? null, reason });
  },
});
