import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import { isoTime } from './iso-time.ts';

/** The change that set a control; all is null where it is as it was installed. */
export interface LastChange {
  readonly changed_at: string | null;
  readonly changed_by: string | null;
  readonly reason: string | null;
  readonly expires_at: string | null;
  readonly change: number | null;
}

/** What a control is set to; a null value is how it is where nothing is set. */
export interface ControlState extends LastChange {
  readonly control: string;
  readonly target: string;
  readonly value: unknown;
}

/** The headings of the columns in which people are told of the change behind a control; see `changeCells`. */
export const CHANGE_HEADINGS = ['since', 'set by', 'why', 'until', 'change'] as const;

export function changeCells(last: LastChange): (string | number | null)[] {
  return [last.changed_at, last.changed_by, last.reason, last.expires_at, last.change];
}

/** The controls of some kinds, as they are set now. */
export async function controlStates(
  reader: Kysely<Database>,
  controls: readonly string[],
): Promise<ControlState[]> {
  const rows = await reader
    .selectFrom('docket.control_states')
    .selectAll()
    .where('control', 'in', controls)
    .orderBy('control')
    .orderBy('target')
    .execute();
  return rows.map((row) => ({
    control: String(row.control),
    target: String(row.target),
    value: row.value,
    changed_at: isoTime(row.changed_at),
    changed_by: row.changed_by,
    reason: row.reason,
    expires_at: isoTime(row.expires_at),
    change: row.change_id === null ? null : Number(row.change_id),
  }));
}
