import { z } from 'zod';
import { openAdmission } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'admission open [target]',
  summary: 'Let documents in again where admission was closed: all, source:NAME or kind:KIND.',
  what: { target: z.string().default('all') },
  canEnd: false,
  change: (db, { target }, { reason }) => openAdmission(db, { target, reason }),
});
