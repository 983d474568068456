import { z } from 'zod';
import { setPoolLimit } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';
import { countArgument } from '../count-argument.ts';

export default defineControlChange({
  usage: 'pool set <pool>',
  summary: 'Say how many slots of a pool each worker process has at most, and all together; 0 pauses it.',
  options: [
    ['--per-process <number>', 'slots of each process; without it: as it is configured'],
    ['--fleet <number>', 'slots of all processes together; without it: the sum of theirs'],
  ],
  what: { pool: z.string(), perProcess: countArgument, fleet: countArgument },
  change: (db, { pool, perProcess = null, fleet = null }, terms) =>
    setPoolLimit(db, { pool, perProcess, fleet, ...terms }),
});
