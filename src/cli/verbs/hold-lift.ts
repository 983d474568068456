import { z } from 'zod';
import { liftHold } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';

export default defineCustodyAct({
  usage: 'hold lift',
  summary: 'Lift a legal hold that another evidence owner placed.',
  options: [['--matter <name>', 'the matter that it was placed for']],
  more: { matter: z.string('required') },
  act: (pool, { jobs, matter, reason }) => liftHold(pool, { jobs, matter, reason }),
  told: ({ job_id }) => `${job_id}: the hold is lifted.`,
});
