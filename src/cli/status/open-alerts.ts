import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { ageWords } from '../age-words.ts';
import { isoTime } from '../iso-time.ts';
import type { Trouble } from './trouble.ts';

/** An alert that is open, as the workers saw it last. */
export interface OpenAlert {
  readonly alert: number;
  readonly subject: string;
  readonly severity: 'warning' | 'breach' | 'rollback';
  readonly fact: string;
  /** What docket why says of the oldest document. */
  readonly why: string | null;
  readonly next_command: string;
  readonly opened_at: string;
  readonly open_seconds: number;
  /** How long ago somebody last saw that it is so. */
  readonly seen_seconds: number;
}

/** More at once would tell nobody more. */
const MOST = 50;
/** Workers look every few seconds. */
const STALE_SECONDS = 60;

/** The alerts that are open, the worst first. */
export async function openAlerts(reader: Kysely<Database>): Promise<OpenAlert[]> {
  const { rows } = await sql<OpenAlert>`
    select a.alert_id::float8 as alert, a.subject, a.severity, a.fact, a.why, a.next_command, a.opened_at,
      extract(epoch from clock_timestamp() - a.opened_at)::float8 as open_seconds,
      extract(epoch from clock_timestamp() - a.seen_at)::float8 as seen_seconds
    from docket.alerts a
    where a.closed_at is null
    order by array_position(array['rollback', 'breach', 'warning'], a.severity), a.opened_at, a.alert_id
    limit ${MOST}`.execute(reader);
  return rows.map((row) => ({ ...row, opened_at: isoTime(row.opened_at) }));
}

/** What is wrong, as the alerts say. */
export function alertTroubles(alerts: readonly OpenAlert[]): Trouble[] {
  return alerts.map(
    ({ subject, severity, fact, why, next_command, opened_at, open_seconds, seen_seconds }) => ({
      severity: severity === 'warning' ? 'warning' : 'alert',
      subject,
      what: [
        fact,
        ...(seen_seconds > STALE_SECONDS ? [`Nobody has looked for ${ageWords(seen_seconds)}.`] : []),
      ].join(' '),
      ...(why !== null && { why }),
      since: opened_at,
      seconds: open_seconds,
      next_command,
    }),
  );
}
