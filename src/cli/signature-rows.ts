import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';
import type { ReportSignature } from '../report/report.ts';

/** Every signature of documents as the report shows it, by document, in order. */
export async function readSignatures(
  reader: Kysely<Database>,
  jobIds: readonly string[],
): Promise<Map<string, ReportSignature[]>> {
  const { rows } = await sql<ReportSignature & { documentId: string }>`
    select s.document_id as "documentId", s.place, s.format, s.purpose, s.status, s.meaning, s.coverage,
      s.later_changes as "laterChanges", s.is_intact as "isIntact", s.digest_matches as "digestMatches", s.signer, s.anchor,
      s.algorithm, s.signed_at as "signedAt", s.signed_at_by as "signedAtBy", s.judged_at as "judgedAt", s.findings
    from docket_api.signatures s
    where s.document_id = any (${jobIds}::uuid[])
    order by s.document_id, s.signature_no`.execute(reader);
  const signatures = new Map<string, ReportSignature[]>();
  for (const { documentId, ...signature } of rows) {
    const known = signatures.get(documentId);
    if (known) known.push(signature);
    else signatures.set(documentId, [signature]);
  }
  return signatures;
}
