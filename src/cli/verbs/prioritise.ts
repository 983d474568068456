import { z } from 'zod';
import { prioritise } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';

export default defineCustodyAct({
  usage: 'prioritise',
  summary: 'Move accepted documents to another lane, whatever the rules of lanes say.',
  role: 'docket_operator',
  options: [['--lane <name>', 'where to; default signature_critical']],
  more: { lane: z.string().default('signature_critical') },
  act: (pool, { jobs, lane, reason }) => prioritise(pool, { jobs, lane, reason }),
  told: ({ job_id, lane }) => `${job_id} is in lane ${lane}.`,
});
