import { z } from 'zod';
import { DocketError } from '../errors.ts';

const day = z.iso.date('expected YYYY-MM-DD');
const name = z.string().regex(/^[^\p{C}]{1,200}$/u, 'expected 1 to 200 characters that can be seen');

/** What a list can be narrowed down to, as parameters of its address; the same names as in search. */
const parameters = z.strictObject({
  source_id: name.optional(),
  document_kind: name.optional(),
  state: name.optional(),
  from_date: day.optional(),
  to_date: day.optional(),
});

const CONDITIONS: Record<keyof z.infer<typeof parameters>, string> = {
  source_id: 'source_id =',
  document_kind: 'document_kind =',
  state: 'state =',
  from_date: 'document_date >=',
  to_date: 'document_date <=',
};

/** Columns of the list. */
export const EXPORT_COLUMNS = [
  'document_id',
  'sha256',
  'source_id',
  'document_kind',
  'document_date',
  'captured_at',
  'received_at',
  'verified_at',
  'media_type',
  'size_bytes',
  'state',
  'state_at',
  'failure_code',
  'page_count',
  'confidence',
  'is_withheld',
];

/** The query for what the address of a list asks for. Throws EXPORT_PARAMETER. */
export function exportQuery(asked: URLSearchParams): { text: string; values: string[] } {
  const parsed = parameters.safeParse(Object.fromEntries(asked));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => [...issue.path, issue.message].join(': '));
    throw new DocketError('EXPORT_PARAMETER', problems.join('; '));
  }
  const given = Object.entries(parsed.data) as [keyof typeof CONDITIONS, string][];
  const conditions = given.map(([parameter], place) => `${CONDITIONS[parameter]} $${place + 1}`);
  return {
    text: [
      `select ${EXPORT_COLUMNS.map(asText).join(', ')}`,
      'from docket_api.documents',
      ...(conditions.length > 0 ? [`where ${conditions.join(' and ')}`] : []),
      'order by documents.received_at desc, documents.document_id desc',
    ].join('\n'),
    values: given.map(([, value]) => value),
  };
}

/** Dates and times as ISO 8601 has them, the latter in UTC. */
function asText(column: string): string {
  if (column.endsWith('_date')) return `${column}::text`;
  if (!column.endsWith('_at')) return column;
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${column}`;
}
