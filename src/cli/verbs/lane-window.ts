import { z } from 'zod';
import { setLaneWindow } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';
import { countArgument } from '../count-argument.ts';

export default defineControlChange({
  usage: 'lane window <lane> <documents>',
  summary: 'Say how many documents of a lane may be under way; none: as workers are configured.',
  what: { lane: z.string(), documents: countArgument },
  change: (db, { lane, documents = null }, terms) => setLaneWindow(db, { lane, window: documents, ...terms }),
});
