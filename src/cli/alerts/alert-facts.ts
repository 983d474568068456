import type { Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';

/** An alert, open or closed. */
export interface AlertFacts {
  readonly alert: number;
  readonly subject: string;
  readonly severity: string;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly fact: string;
  readonly why: string | null;
  readonly next_command: string;
  readonly job_id: string | null;
  readonly opened_at: string;
  readonly changed_at: string;
  readonly closed_at: string | null;
}

/** The worst first. */
const SEVERITIES = ['rollback', 'breach', 'warning'];
const MOST_CLOSED = 100;

/** The alerts that are open, the worst first and then the longest; with `all`, also the 100 that were closed last, those after them. */
export async function alertFacts(
  reader: Kysely<Database>,
  { all = false, number }: { all?: boolean; number?: number } = {},
): Promise<AlertFacts[]> {
  const query = reader.selectFrom('docket.alerts').selectAll();
  const rows =
    number === undefined
      ? [
          ...(await query.where('closed_at', 'is', null).execute()).sort(
            (one, other) =>
              SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
              Number(one.alert_id) - Number(other.alert_id),
          ),
          ...(all
            ? await query
                .where('closed_at', 'is not', null)
                .orderBy('closed_at', 'desc')
                .limit(MOST_CLOSED)
                .execute()
            : []),
        ]
      : await query.where('alert_id', '=', String(number)).execute();
  return rows.map((row) => ({
    alert: Number(row.alert_id),
    subject: row.subject,
    severity: row.severity,
    value: row.value,
    threshold: row.threshold,
    fact: row.fact,
    why: row.why,
    next_command: row.next_command,
    job_id: row.job_id,
    opened_at: isoTime(row.opened_at),
    changed_at: isoTime(row.changed_at),
    closed_at: isoTime(row.closed_at),
  }));
}
