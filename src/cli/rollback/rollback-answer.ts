import type { Kysely } from 'kysely';
import { rollbackSummary } from '../../db/commands.ts';
import type { Queryable } from '../../db/commands.ts';
import type { Database } from '../../db/rows.ts';
import type { Answer } from '../answer.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import type { LeftDocuments, RollbackStanding } from './rollback-standing.ts';
import { quarantinedBy, rollbackEvents } from './rollback-standing.ts';

/** How many quarantined documents are named. */
const NAMED = 20;

/** Tells of a rollback: how it stands, what happened, what the withdrawn OCR configuration left, and what to do about that. */
export async function rollbackAnswer(
  pool: Queryable,
  reader: Kysely<Database>,
  standing: RollbackStanding,
): Promise<Answer> {
  const events = await rollbackEvents(reader, standing);
  const [counted] = await rollbackSummary(pool, { rollback: standing.rollback });
  const left: LeftDocuments | null =
    counted === undefined
      ? null
      : {
          published: Number(counted.published),
          validated: Number(counted.validated),
          quarantined: Number(counted.quarantined),
        };
  const quarantined = await quarantinedBy(reader, standing.from, NAMED);
  return {
    json: { ...standing, left, quarantined, events },
    text: [
      printable(headline(standing)),
      printable(
        `Why: ${standing.reason} (${standing.ordered_by}${standing.alert === null ? '' : `, by itself for alert ${standing.alert}`})`,
      ),
      '',
      textTable(
        ['at', 'event', 'by', 'what'],
        events.map((event) => [event.at, event.event, event.actor, event.reason]),
      ),
      '',
      ...leftLines(standing, left),
      ...(quarantined.length === 0
        ? []
        : [
            '',
            textTable(
              ['quarantined', 'kind', 'code'],
              quarantined.map((one) => [one.job_id, one.document_kind, one.code]),
            ),
          ]),
    ]
      .join('\n')
      .trimEnd(),
  };
}

/** How a rollback stands, in a sentence. */
export function headline({
  rollback,
  from,
  to,
  step,
  seconds,
  failure,
  ended_at: ended,
}: RollbackStanding): string {
  const what = `Rollback ${rollback}, from OCR configuration ${from} to ${to}`;
  if (ended !== null) return `${what}: done, after ${Math.max(1, Math.round(seconds))} s.`;
  if (failure !== null)
    return `${what}: ${step} failed, admission stays closed, and it is tried again: ${failure}`;
  return `${what}: under way since ${Math.round(seconds)} s, next: ${step}. Follow it: docket rollback resume`;
}

function leftLines({ from, to, taken_back: taken }: RollbackStanding, left: LeftDocuments | null): string[] {
  const takenBack = taken === 0 ? [] : [`${documents(taken)} taken back from it, to be read by ${to}.`];
  if (left === null) return takenBack;
  const published = left.published + left.validated;
  return [
    ...takenBack,
    published === 0
      ? `Nothing is published as OCR configuration ${from} read it.`
      : `${documents(published)} published as OCR configuration ${from} read them, and stay so. ` +
        `Next: docket ocr reread --of ${from} --version ${to} --reason '...'`,
    left.quarantined === 0
      ? `Nothing is quarantined by what OCR configuration ${from} read.`
      : `${documents(left.quarantined)} quarantined by what it read. ` +
        `Next, for an evidence owner: docket quarantine release JOB... --reason '...'`,
  ];
}

function documents(count: number): string {
  return count === 1 ? '1 document is' : `${count} documents are`;
}
