import { sql } from 'kysely';
import { z } from 'zod';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

interface Rule {
  document_kind: string;
  retention: string;
  since: string | null;
  reason: string;
  set_by: string;
}

export default defineVerb({
  usage: 'retention list',
  summary: 'List how long documents of each kind are kept, by the rules of all times.',
  options: [AS_LOGIN],
  input: z.strictObject({ as: z.string().optional() }),
  run: ({ as }, { config, log }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_evidence_owner', 'docket_auditor'] }, async (pool) => {
        const { rows } = await sql<Rule>`
          select document_kind, retention::text as retention, nullif(since, '-infinity') as since, reason, set_by
          from docket.retention_rules r
          order by r.document_kind, r.since`.execute(typedQueries(pool));
        const rules = rows.map((rule) => ({ ...rule, since: isoTime(rule.since) }));
        return {
          json: { rules },
          text: textTable(
            ['kind', 'kept for', 'received since', 'set by', 'why'],
            rules.map((rule) => [
              rule.document_kind,
              rule.retention,
              rule.since ?? 'ever',
              rule.set_by,
              rule.reason,
            ]),
          ),
        };
      }),
    ),
});
