import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/rows.ts';
import { readTrustMaterial } from '../../evidence/certificates/trust-material.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { requireSource } from '../require-source.ts';
import { textTable } from '../text-table.ts';
import type { TrustFacts } from '../trust-facts.ts';
import { trustFacts } from '../trust-facts.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'trust list',
  summary: 'List the keys and certificates that signatures are judged against, and the revocation lists.',
  options: [
    ['--source <name>', 'of this source only'],
    ['--withdrawn', 'with anchors that were withdrawn'],
  ],
  input: z.strictObject({ source: z.string().optional(), withdrawn: z.boolean().default(false) }),
  run: ({ source, withdrawn }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      if (source !== undefined) await requireSource(reader, source);
      const anchors = await listAnchors(reader, source, withdrawn);
      const lists = await listRevocationLists(reader, source);
      const tables = [
        textTable(
          ['anchor', 'source', 'purpose', 'kind', 'label', 'until', 'added by', 'withdrawn'],
          anchors.map((one) => [
            one.trust_anchor_id,
            one.source,
            one.purpose,
            one.kind,
            one.label,
            one.valid_until ?? one.not_after ?? null,
            one.added_by,
            one.withdrawn_at && `${one.withdrawn_at}: ${one.withdrawn_because}`,
          ]),
        ),
        textTable(
          ['revocation list', 'source', 'issuer', 'made', 'next due', 'revoked', 'added by'],
          lists.map((one) => [
            one.revocation_list_id,
            one.source,
            one.issuer ?? null,
            one.this_update ?? null,
            one.next_update ?? null,
            one.revoked ?? null,
            one.added_by,
          ]),
        ),
      ];
      return {
        json: { anchors, revocation_lists: lists },
        text:
          tables.filter((table) => table !== '').join('\n\n') ||
          'There are no anchors, so that every signer is unknown. Add one: docket trust add SOURCE FILE',
      };
    }),
});

async function listAnchors(db: Kysely<Database>, source: string | undefined, withdrawn: boolean) {
  let query = db
    .selectFrom('docket.trust_anchors')
    .selectAll()
    .orderBy('source_id')
    .orderBy('trust_anchor_id');
  if (source !== undefined) query = query.where('source_id', '=', source);
  if (!withdrawn) query = query.where('withdrawn_at', 'is', null);
  const rows = await query.execute();
  return rows.map((row) => ({
    ...factsOf(Buffer.from(row.pem)),
    trust_anchor_id: row.trust_anchor_id,
    source: row.source_id,
    kind: row.anchor_kind,
    purpose: row.purpose,
    label: row.label,
    valid_from: isoTime(row.valid_from),
    valid_until: isoTime(row.valid_until),
    added_at: isoTime(row.added_at),
    added_by: row.added_by,
    withdrawn_at: isoTime(row.withdrawn_at),
    withdrawn_by: row.withdrawn_by,
    withdrawn_because: row.withdrawn_because,
  }));
}

async function listRevocationLists(db: Kysely<Database>, source: string | undefined) {
  let query = db
    .selectFrom('docket.revocation_lists')
    .selectAll()
    .orderBy('source_id')
    .orderBy('revocation_list_id');
  if (source !== undefined) query = query.where('source_id', '=', source);
  const rows = await query.execute();
  return rows.map((row) => ({
    ...factsOf(row.crl),
    revocation_list_id: row.revocation_list_id,
    source: row.source_id,
    added_at: isoTime(row.added_at),
    added_by: row.added_by,
  }));
}

/** Nothing of what came in by SQL and can be read by nobody: no signature leads to it. */
function factsOf(bytes: Buffer): Partial<TrustFacts> {
  try {
    return trustFacts(readTrustMaterial(bytes));
  } catch {
    return {};
  }
}
