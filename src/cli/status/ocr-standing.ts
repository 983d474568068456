import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/rows.ts';
import { isoTime, plainTime } from '../iso-time.ts';
import type { Trouble } from './trouble.ts';

/** By which OCR configuration documents are read, and the rollback that is under way. */
export interface OcrStanding {
  readonly active: number;
  readonly activated_at: string;
  readonly known_good: number;
  readonly canary: number | null;
  /** Between 0 and 1. */
  readonly canary_share: number | null;
  /** As Postgres writes an interval; null: no rollback begins by itself. */
  readonly automatic_within: string | null;
  readonly rollback: RollbackUnderWay | null;
}

/** A rollback that has not ended. */
export interface RollbackUnderWay {
  readonly rollback: number;
  readonly from_version: number;
  readonly to_version: number;
  readonly step: string;
  readonly began_at: string;
  readonly began_seconds: number;
  /** The change that closed admission, where it was this one. */
  readonly closing_change: number | null;
  readonly failures: number;
  readonly failed_at: string | null;
  readonly failure: string | null;
}

/** Reads both. */
export async function ocrStanding(reader: Kysely<Database>): Promise<OcrStanding> {
  const { rows } = await sql<Omit<OcrStanding, 'rollback'>>`
    select c.active_version as active, c.activated_at, c.known_good_version as known_good, c.canary_version as canary,
      c.canary_share, c.automatic_within::text
    from docket.ocr_choice c`.execute(reader);
  const { rows: rollbacks } = await sql<RollbackUnderWay>`
    select r.rollback_id as rollback, r.from_version, r.to_version, r.step, r.began_at,
      extract(epoch from clock_timestamp() - r.began_at)::float8 as began_seconds, r.closing_change::float8, r.failures,
      r.failed_at, r.failure
    from docket.rollbacks r
    where r.ended_at is null`.execute(reader);
  const [choice] = rows;
  if (!choice) throw new Error('docket.ocr_choice has no row');
  const [rollback] = rollbacks;
  return {
    ...choice,
    activated_at: isoTime(choice.activated_at),
    rollback: rollback
      ? { ...rollback, began_at: isoTime(rollback.began_at), failed_at: isoTime(rollback.failed_at) }
      : null,
  };
}

/** A rollback that is under way, or that does not get on. */
export function rollbackTroubles({ rollback }: OcrStanding): Trouble[] {
  if (rollback === null) return [];
  const { from_version: from, to_version: to, step, failures, failure } = rollback;
  const what = `OCR configuration ${from} is rolled back to ${to}; next is the step ${step}.`;
  return [
    {
      severity: failure === null ? 'warning' : 'alert',
      subject: `rollback:${rollback.rollback}`,
      what:
        failure === null
          ? `${what} Admission stays closed until it is done.`
          : `${what} It failed ${failures === 1 ? 'once' : `${failures} times`}: ${failure} Admission stays closed.`,
      since: rollback.began_at,
      seconds: rollback.began_seconds,
      next_command: `docket rollback show ${rollback.rollback}`,
    },
  ];
}

/** The same in a line for a person. */
export function ocrLine(standing: OcrStanding): string {
  const {
    active,
    activated_at,
    known_good,
    canary,
    canary_share: share,
    automatic_within: within,
  } = standing;
  return [
    `OCR configuration: ${active}, since ${plainTime(activated_at)}; last known good: ${known_good}.`,
    ...(canary === null ? [] : [`Canary: ${canary}, for ${percent(share ?? 0)} of documents.`]),
    ...(within === null ? [] : [`A rollback may begin by itself within ${within} of an activation.`]),
  ].join(' ');
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
