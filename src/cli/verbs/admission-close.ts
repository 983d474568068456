import { z } from 'zod';
import { closeAdmission } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'admission close [target]',
  summary:
    'Let no more documents in: all, of a source (source:NAME) or of a kind (kind:KIND). Deliveries are recorded and wait.',
  what: { target: z.string().default('all') },
  change: (db, { target }, terms) => closeAdmission(db, { target, ...terms }),
});
