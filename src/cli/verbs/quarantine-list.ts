import { sql } from 'kysely';
import { z } from 'zod';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

const MOST = 1000;

interface Waiting {
  job_id: string;
  state: string;
  state_at: string;
  document_kind: string;
  code: string | null;
  matters: string[];
  requested_by: string | null;
  requested_at: string | null;
  disposal_reason: string | null;
}

export default defineVerb({
  usage: 'quarantine list',
  summary:
    'List what waits for an evidence owner: quarantined documents, and requests for disposal; longest first.',
  options: [AS_LOGIN],
  input: z.strictObject({ as: z.string().optional() }),
  run: ({ as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_evidence_owner', 'docket_auditor'] }, async (pool) => {
        const { rows } = await sql<Waiting>`
          select j.job_id, j.state, j.state_at, j.document_kind, j.last_code as code, c.matters,
            c.requested_by, c.requested_at, c.disposal_reason
          from (
            select w.job_id
            from docket.jobs w
            where w.state = 'quarantined'
              and not exists (
                select from docket.disposals d
                where d.job_id = w.job_id and d.decision = 'approved' and d.outlived_at is null
              )
            union
            select d.job_id from docket.disposals d where d.decision is null
          ) as waiting
          join docket.jobs j on j.job_id = waiting.job_id
          join docket.document_custody c on c.job_id = waiting.job_id
          order by j.state_at, j.job_id
          limit ${MOST}`.execute(typedQueries(pool));
        const documents = rows.map((row) => ({
          ...row,
          state_at: isoTime(row.state_at),
          requested_at: isoTime(row.requested_at),
        }));
        return {
          json: { documents },
          text:
            textTable(
              ['job', 'state', 'code', 'kind', 'since', 'holds', 'disposal asked by', 'why'],
              documents.map((one) => [
                one.job_id,
                one.state,
                one.code,
                one.document_kind,
                one.state_at,
                one.matters.join(', '),
                one.requested_by,
                one.disposal_reason,
              ]),
            ) || 'Nothing waits for an evidence owner.',
        };
      }),
    ),
});
