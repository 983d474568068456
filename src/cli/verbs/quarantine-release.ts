import { releaseQuarantined } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';

export default defineCustodyAct({
  usage: 'quarantine release',
  summary: 'Send quarantined documents back to admission, for a stated reason.',
  more: {},
  act: (pool, { jobs, reason }) => releaseQuarantined(pool, { jobs, reason }),
  told: ({ job_id, state }) => `${job_id} is ${state}.`,
});
