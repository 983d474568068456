import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../db/rows.ts';
import type { Answer } from './answer.ts';
import { haltedControls, haltLine } from './halted-controls.ts';
import { countWorkers, NO_WORKER } from './live-workers.ts';
import { openOutages, outageLine } from './open-outages.ts';
import { sealingFacts, sealingLine } from './sealing-facts.ts';
import { textTable } from './text-table.ts';

/** A state, how many documents are in it, and how old the oldest is there. */
interface StateRow {
  state: string;
  documents: number;
  oldest_seconds: number | null;
}

/** How many documents are in which state, how old the oldest is there, and who works on them. */
export async function overallStatus(reader: Kysely<Database>): Promise<Answer> {
  const { rows: states } = await sql<StateRow>`
    select c.state, c.documents::float8 as documents,
      -- documents that stay where they are for good have no age
      case when not s.is_terminal then greatest(extract(epoch from clock_timestamp() - c.oldest_at), 0)::float8 end as oldest_seconds
    from docket.document_counts() with ordinality as c (state, documents, oldest_at, place)
    join docket.job_states s on s.state = c.state
    order by c.place`.execute(reader);
  const codes = await reader
    .selectFrom('docket.jobs')
    .where('state', '=', 'quarantined')
    .groupBy('first_code')
    .select(['first_code as code', sql<number>`count(*)::float8`.as('documents')])
    .orderBy('documents', 'desc')
    .orderBy('first_code')
    .execute();
  const { rows: delivered } = await sql<{ deliveries: number }>`
    select docket.delivery_count()::float8 as deliveries`.execute(reader);
  const deliveries = delivered[0]?.deliveries ?? 0;
  const { disputed } = await reader
    .selectFrom('docket.disputed_documents')
    .select(sql<number>`count(*)::float8`.as('disputed'))
    .executeTakeFirstOrThrow();
  const workers = await countWorkers(reader);
  const sealing = await sealingFacts(reader);
  const outages = await openOutages(reader);
  const halted = await haltedControls(reader);
  const table = textTable(
    ['state', 'documents', 'oldest'],
    states.map((row) => [
      row.state,
      row.documents,
      row.oldest_seconds === null ? '' : age(row.oldest_seconds),
    ]),
  );
  const reasons = textTable(
    ['quarantined for', 'documents'],
    codes.map((row) => [row.code, row.documents]),
  );
  const working = workers === 0 ? NO_WORKER : `Workers: ${workers}.`;
  return {
    json: {
      deliveries,
      workers,
      states,
      quarantined: codes,
      disputed,
      outages,
      halted,
      sealing,
    },
    text: [
      ...outages.map(outageLine),
      ...halted.map(haltLine),
      table,
      ...(reasons === '' ? [] : [reasons]),
      ...(disputed === 0 ? [] : [`Disputed, as their newest replay failed: ${disputed}. docket replay list`]),
      `Deliveries: ${deliveries}. ${working}\n${sealingLine(sealing)}`,
    ].join('\n\n'),
  };
}

/** `42 s`, `5 min`, `3 h`, `2 d`: enough to see what is stuck. */
function age(seconds: number): string {
  const [size, unit] = [[86_400, 'd'] as const, [3600, 'h'] as const, [60, 'min'] as const].find(
    ([least]) => seconds >= 2 * least,
  ) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}
