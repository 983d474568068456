import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument, unknownJob } from '../job-argument.ts';
import { printable } from '../printable.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'text <job>',
  summary: 'Print the published text of a document, pages parted by a form feed. Nothing in it is masked.',
  options: [['--page <number>', 'this page alone']],
  input: z.strictObject({
    job: jobArgument,
    page: z.coerce
      .number('expected a number')
      .int('expected a whole number')
      .min(1, 'pages count from 1')
      .optional(),
  }),
  run: ({ job, page }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const document = await reader
        .selectFrom('docket.document_overview')
        .select(['state', 'sha256', 'result_sha256', 'last_code', 'page_count'])
        .where('job_id', '=', job)
        .executeTakeFirst();
      if (!document) throw unknownJob(job);
      if (document.state !== 'published') {
        const why = document.last_code === null ? '' : ` (${document.last_code})`;
        throw new DocketError(
          'NOT_PUBLISHED',
          `the document is ${document.state}${why}: it has no text yet`,
          {
            hint: `docket status ${job}`,
          },
        );
      }
      const pages = await reader
        .selectFrom('docket.pages as p')
        .innerJoin('docket.jobs as j', (join) =>
          join.onRef('j.job_id', '=', 'p.job_id').onRef('j.result_sha256', '=', 'p.result_sha256'),
        )
        .select(['p.page_no', 'p.verdict', 'p.confidence', 'p.text'])
        .where('p.job_id', '=', job)
        .$if(page !== undefined, (query) => query.where('p.page_no', '=', page ?? 0))
        .orderBy('p.page_no')
        .execute();
      if (pages.length === 0) {
        throw new DocketError('PAGE_NOT_FOUND', `the document has ${document.page_count} pages, not ${page}`);
      }
      return {
        json: { job_id: job, sha256: document.sha256, result_sha256: document.result_sha256, pages },
        text: pages.map((one) => printable(one.text)).join('\n\f\n'),
      };
    }),
});
