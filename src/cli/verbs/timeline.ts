import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { disputeOf } from '../dispute-of.ts';
import { isoTime } from '../iso-time.ts';
import { jobArgument, unknownJob } from '../job-argument.ts';
import { printable } from '../printable.ts';
import { historyText, resultHistory } from '../result-history.ts';
import { signatureOf } from '../signature-of.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'timeline <job>',
  summary: 'Show what happened to a document, as the audit log has it.',
  input: z.strictObject({ job: jobArgument }),
  run: ({ job }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const rows = await reader
        .selectFrom('docket.job_timeline')
        .selectAll()
        .where('job_id', '=', job)
        .orderBy('seq')
        .execute();
      if (rows.length === 0) throw unknownJob(job);
      const signature = await signatureOf(reader, job);
      const dispute = await disputeOf(reader, job);
      const results = await resultHistory(reader, job);
      const events = rows.map(({ job_id: _job, at, ...event }) => ({ ...event, at: isoTime(at) }));
      return {
        json: { job_id: job, is_disputed: dispute.length > 0, signature, results, events },
        text: [
          ...dispute,
          printable(signature.statement),
          '',
          textTable(
            ['seq', 'at', 'event', 'state', 'actor', 'attempt', 'code', 'reason', 'hash'],
            events.map((event) => [
              event.seq,
              event.at,
              event.event,
              event.to_state,
              event.actor,
              event.attempt,
              event.code,
              event.reason,
              event.hash?.slice(0, 16) ?? null,
            ]),
          ),
          ...historyText(results),
        ].join('\n'),
      };
    }),
});
