import { z } from 'zod';
import { undoChange } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'undo <change>',
  summary: 'Restore what a change replaced, if what it set is still what there is.',
  what: { change: z.string().regex(/^\d{1,18}$/, 'expected the number of a change') },
  canEnd: false,
  change: (db, { change }, { reason }) => undoChange(db, { change, reason }),
});
