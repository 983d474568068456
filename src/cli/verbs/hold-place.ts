import { z } from 'zod';
import { placeHold } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';

export default defineCustodyAct({
  usage: 'hold place',
  summary: 'Place a legal hold: while it is open the documents cannot be disposed of.',
  options: [['--matter <name>', 'what it is for: a case number, a claim']],
  more: { matter: z.string('required') },
  act: (pool, { jobs, matter, reason }) => placeHold(pool, { jobs, matter, reason }),
  told: ({ job_id }) => `${job_id} is on hold.`,
});
