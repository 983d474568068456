import { approveDisposal } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';
import { isoTime } from '../iso-time.ts';

export default defineCustodyAct({
  usage: 'quarantine approve-disposal',
  summary:
    'Destroy documents for good whose disposal another evidence owner, or the end of retention, asked for.',
  more: {},
  async act(pool, { jobs, reason }) {
    const disposed = await approveDisposal(pool, { jobs, reason });
    return disposed.map((one) => ({ ...one, disposed_at: isoTime(one.disposed_at) }));
  },
  told: ({ job_id }) => `${job_id} was disposed of: its key, text, signer and salt are destroyed.`,
});
