import { withdrawDisposal } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';

export default defineCustodyAct({
  usage: 'quarantine withdraw-disposal',
  summary: 'Withdraw requests for the disposal of documents, whoever asked.',
  more: {},
  act: (pool, { jobs, reason }) => withdrawDisposal(pool, { jobs, reason }),
  told: ({ job_id }) => `${job_id} is kept: the request for its disposal is withdrawn.`,
});
