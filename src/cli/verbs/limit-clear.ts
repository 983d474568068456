import { z } from 'zod';
import { setFlowLimit } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'limit clear <target>',
  summary: 'Take every limit of a source (source:NAME), or of all together (all), away.',
  what: { target: z.string() },
  change: (db, { target }, terms) => setFlowLimit(db, { target, limit: null, ...terms }),
});
