import { z } from 'zod';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { custodyOf } from '../custody-of.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { jobStatus } from '../job-status.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'quarantine show <job>',
  summary:
    'Say all that an evidence owner decides by: state, failure and attempts, retention, holds and disposal.',
  options: [AS_LOGIN],
  input: z.strictObject({ job: jobArgument, as: z.string().optional() }),
  run: ({ job, as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_evidence_owner', 'docket_auditor'] }, async (pool) => {
        const reader = typedQueries(pool);
        const status = await jobStatus(reader, job);
        const { holds, amendments, ...custody } = await custodyOf(reader, job);
        return {
          json: { ...(status.json as object), custody: { ...custody, holds, amendments } },
          text: [
            status.text,
            '',
            ...Object.entries(custody)
              .filter(([, value]) => value !== null)
              .map(([name, value]) => `${name.padEnd(15)} ${printable(String(value))}`),
            '',
            textTable(
              ['hold for', 'placed by', 'at', 'why'],
              holds.map((hold) => [hold.matter, hold.placed_by, hold.placed_at, hold.reason]),
            ),
            '',
            textTable(
              ['amended at', 'by', 'kind', 'note', 'why'],
              amendments.map((one) => [
                one.amended_at,
                one.amended_by,
                one.document_kind,
                one.note,
                one.reason,
              ]),
            ),
          ]
            .join('\n')
            .replace(/\n{3,}/g, '\n\n')
            .trimEnd(),
        };
      }),
    ),
});
