import { requestDisposal } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';

export default defineCustodyAct({
  usage: 'quarantine request-disposal',
  summary:
    'Ask for documents, quarantined or published, to be destroyed; another evidence owner has to approve.',
  more: {},
  act: (pool, { jobs, reason }) => requestDisposal(pool, { jobs, reason }),
  told: ({ job_id, disposal_id }) => `${job_id}: its disposal is asked for, request ${disposal_id}.`,
});
