import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'policy list',
  summary: 'List which signatures documents need, in the order in which policies are asked.',
  options: [['--all', 'with policies whose place a newer one took']],
  input: z.strictObject({ all: z.boolean().default(false) }),
  run: ({ all }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const rows = await reader
        .selectFrom('docket.envelope_policies as p')
        .selectAll('p')
        .orderBy('p.source_id', (order) => order.asc().nullsLast())
        .orderBy('p.document_kind', (order) => order.asc().nullsLast())
        .orderBy('p.envelope_policy_id', 'desc')
        .execute();
      // The newest of each source and kind is the first of them.
      const scopes = rows.map((row) => JSON.stringify([row.source_id, row.document_kind]));
      const policies = rows
        .map((row, at) => ({
          envelope_policy_id: row.envelope_policy_id,
          source: row.source_id,
          document_kind: row.document_kind,
          requirement: row.requirement,
          signers_required: row.signers_required,
          in_force: scopes.indexOf(scopes[at] ?? '') === at,
          set_at: isoTime(row.set_at),
          set_by: row.set_by,
          reason: row.reason,
        }))
        .filter((policy) => all || policy.in_force);
      return {
        json: { policies },
        text:
          textTable(
            ['policy', 'source', 'kind', 'requirement', 'signers', 'since', 'set by', 'why', 'in force'],
            policies.map((one) => [
              one.envelope_policy_id,
              one.source ?? 'every source',
              one.document_kind ?? 'every kind',
              one.requirement,
              one.signers_required,
              one.set_at,
              one.set_by,
              one.reason,
              one.in_force ? 'yes' : 'no',
            ]),
          ) ||
          'Nothing was set: documents are refused where a signature cannot be read or does not fit (intact).',
      };
    }),
});
