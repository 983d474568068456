import { z } from 'zod';
import { readText } from '../../db/noted-readings.ts';
import { DocketError } from '../../errors.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { disputeOf } from '../dispute-of.ts';
import { jobArgument, unknownJob } from '../job-argument.ts';
import { printable } from '../printable.ts';
import { signatureOf } from '../signature-of.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'text <job>',
  summary: 'Print the text of a document, pages parted by a form feed. Nothing in it is masked.',
  options: [
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    ['--page <number>', 'print this page alone'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    job: jobArgument,
    reason: z.string('required'),
    page: z.coerce
      .number('expected a number')
      .int('expected a whole number')
      .min(1, 'pages count from 1')
      .optional(),
    as: z.string().optional(),
  }),
  run: ({ job, reason, page, as }, { config, log, tell }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_auditor', 'docket_evidence_owner'] }, async (pool) => {
        const pages = await readText(pool, { jobId: job, reason });
        const reader = typedQueries(pool);
        const document = await reader
          .selectFrom('docket.document_overview')
          .select(['state', 'sha256', 'last_code'])
          .where('job_id', '=', job)
          .executeTakeFirst();
        if (!document) throw unknownJob(job);
        if (pages.length === 0) {
          const why = document.last_code === null ? '' : ` (${document.last_code})`;
          throw new DocketError('NOT_PUBLISHED', `the document is ${document.state}${why}: it has no text`, {
            hint: `docket status ${job}`,
          });
        }
        const wanted = pages.filter((one) => page === undefined || one.page_no === page);
        if (wanted.length === 0) {
          throw new DocketError('PAGE_NOT_FOUND', `the document has ${pages.length} pages, not ${page}`);
        }
        const signature = await signatureOf(reader, job);
        const dispute = await disputeOf(database.reader, job);
        dispute.forEach(tell);
        tell(printable(signature.statement));
        return {
          json: {
            job_id: job,
            sha256: document.sha256,
            state: document.state,
            is_disputed: dispute.length > 0,
            signature,
            pages: wanted.map(({ page_no, verdict, confidence, text }) => ({
              page_no,
              verdict,
              confidence,
              text,
            })),
          },
          text: wanted.map((one) => printable(one.text)).join('\n\f\n'),
        };
      }),
    ),
});
