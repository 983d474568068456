import type pg from 'pg';

/** What docket.queue_health() is to answer. */
export interface PlantedStanding {
  readonly by: string;
  readonly measure: string;
  readonly group?: string;
  readonly documents: number | null;
  readonly seconds: number;
}

/** What docket.age_percentiles() is to answer, in milliseconds. */
export interface PlantedAge {
  readonly window: string;
  readonly by: string;
  readonly measure: string;
  readonly group?: string;
  readonly documents: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What docket.quarantine_growth() is to answer. */
export interface PlantedQuarantine {
  readonly window: string;
  readonly code: string;
  readonly source: string;
  readonly documents: number;
}

/**
 * Puts functions in the place of those that measure, which answer what the test planted: for figures that documents could not
 * be made to have, and of as many sources as one likes. Figures of real documents are compared in metrics-of-work.test.ts.
 */
export async function plantMeasuring(db: pg.Pool): Promise<void> {
  await db.query(`
    create table public.planted_standing (by_what text, measure text, group_name text, documents bigint, seconds float8);
    create table public.planted_ages (
      length interval, by_what text, measure text, group_name text, documents bigint, p50 float8, p95 float8, p99 float8
    );
    create table public.planted_quarantines (length interval, code text, source_id text, documents bigint);
    drop function if exists docket.queue_health(text);
    drop function if exists docket.age_percentiles(interval, text);
    drop function if exists docket.quarantine_growth(interval);
    create function docket.queue_health(p_by text default 'all')
    returns table (measure text, group_name text, documents bigint, oldest_at timestamptz, oldest_seconds float8, job_id uuid)
    language sql stable security definer as $$
      select measure, group_name, documents, clock_timestamp() - make_interval(secs => seconds), seconds, gen_random_uuid()
      from public.planted_standing where by_what = p_by
    $$;
    create function docket.age_percentiles(p_window interval default '5 minutes', p_by text default 'all')
    returns table (measure text, group_name text, documents bigint, p50_ms float8, p95_ms float8, p99_ms float8)
    language sql stable security definer as $$
      select measure, group_name, documents, p50, p95, p99
      from public.planted_ages where length = p_window and by_what = p_by
    $$;
    create function docket.quarantine_growth(p_window interval default '1 day')
    returns table (code text, source_id text, documents bigint)
    language sql stable security definer as $$
      select code, source_id, documents from public.planted_quarantines where length = p_window
    $$;
    grant execute on function docket.queue_health, docket.age_percentiles, docket.quarantine_growth to docket_operator;
  `);
}

export async function plantStanding(db: pg.Pool, rows: readonly PlantedStanding[]): Promise<void> {
  for (const { by, measure, group = '', documents, seconds } of rows) {
    await db.query('insert into public.planted_standing values ($1, $2, $3, $4, $5)', [
      by,
      measure,
      group,
      documents,
      seconds,
    ]);
  }
}

export async function plantAges(db: pg.Pool, rows: readonly PlantedAge[]): Promise<void> {
  for (const { window, by, measure, group = '', documents, p50, p95, p99 } of rows) {
    await db.query('insert into public.planted_ages values ($1, $2, $3, $4, $5, $6, $7, $8)', [
      window,
      by,
      measure,
      group,
      documents,
      p50,
      p95,
      p99,
    ]);
  }
}

export async function plantQuarantines(db: pg.Pool, rows: readonly PlantedQuarantine[]): Promise<void> {
  for (const { window, code, source, documents } of rows) {
    await db.query('insert into public.planted_quarantines values ($1, $2, $3, $4)', [
      window,
      code,
      source,
      documents,
    ]);
  }
}
