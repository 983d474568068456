import { z } from 'zod';
import { extendRetention } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';
import { isoTime } from '../iso-time.ts';

export default defineCustodyAct({
  usage: 'retention extend',
  summary: 'Have documents kept longer than their kind; what is kept is never kept shorter.',
  options: [['--until <time>', 'until when at least, such as 2040-01-01T00:00:00Z']],
  more: { until: z.coerce.date('expected a time such as 2040-01-01T00:00:00Z') },
  async act(pool, { jobs, until, reason }) {
    const extended = await extendRetention(pool, { jobs, until: until.toISOString(), reason });
    return extended.map((one) => ({ ...one, retain_until: isoTime(one.retain_until) }));
  },
  told: ({ job_id, retain_until }) => `${job_id} is kept until ${retain_until}.`,
});
