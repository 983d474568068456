import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { DocketError } from '../../errors.ts';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';
import { replayStatement } from './replay-statement.ts';

/** A document that a replay did not see to be what the log says. */
export interface ReplayProblem {
  readonly job_id: string;
  readonly outcome: string;
  /** Why it could not be looked at. */
  readonly code: string | null;
  readonly findings: readonly {
    readonly checked: string;
    readonly page_no: number | null;
    readonly expected: string | null;
    readonly found: string | null;
  }[];
}

/** One replay, so far: what was drawn, how it came out, and what that says. */
export interface ReplayStanding {
  readonly replay: number;
  readonly reason: string;
  readonly seed: string;
  readonly sources: readonly string[] | null;
  readonly is_reread: boolean;
  readonly is_daily: boolean;
  readonly is_named: boolean;
  readonly started_at: string | null;
  readonly started_by: string;
  readonly ended_at: string | null;
  readonly population: number;
  readonly sample: number;
  readonly passed: number;
  readonly failed: number;
  readonly unchecked: number;
  readonly waiting: number;
  readonly reread: number;
  readonly bad_share_at_most: number | null;
  /** All of it in a sentence or two. */
  readonly statement: string;
}

/** Replays, the newest first; all of them unless one is named. */
export async function replayStandings(reader: Kysely<Database>, only?: number): Promise<ReplayStanding[]> {
  const { rows } = await sql<Omit<ReplayStanding, 'statement'>>`
    select s.replay_id as replay, s.reason, s.seed, s.sources, s.is_reread, s.is_daily, s.is_named, s.started_at, s.started_by,
      s.ended_at, s.population::float8, s.sample, s.passed::float8, s.failed::float8, s.unchecked::float8, s.waiting::float8,
      s.reread::float8, s.bad_share_at_most
    from docket.replay_summaries s
    where ${only ?? null}::integer is null or s.replay_id = ${only ?? null}::integer
    order by s.replay_id desc`.execute(reader);
  return rows.map((row) => ({
    ...row,
    started_at: isoTime(row.started_at),
    ended_at: isoTime(row.ended_at),
    statement: replayStatement(row),
  }));
}

/** One replay; throws ZD057 where there is none of that number. */
export async function replayStanding(reader: Kysely<Database>, replay: number): Promise<ReplayStanding> {
  const [standing] = await replayStandings(reader, replay);
  if (standing) return standing;
  throw new DocketError('ZD057', `there is no replay ${replay}`, { hint: 'docket replay list' });
}

/** The documents of a replay that did not pass, by their ids; what was disposed of meanwhile is no problem. */
export async function replayProblems(reader: Kysely<Database>, replay: number): Promise<ReplayProblem[]> {
  const documents = await reader
    .selectFrom('docket.replayed_documents')
    .select(['job_id', 'outcome', 'code'])
    .where('replay_id', '=', replay)
    .where('outcome', '<>', 'passed')
    .where((where) => where.or([where('code', 'is', null), where('code', '<>', 'DISPOSED')]))
    .orderBy('job_id')
    .execute();
  const findings = await reader
    .selectFrom('docket.replay_findings')
    .select(['job_id', 'checked', 'page_no', 'expected', 'found'])
    .where('replay_id', '=', replay)
    .orderBy('job_id')
    .orderBy('finding_no')
    .execute();
  return documents.map((document) => ({
    ...document,
    findings: findings
      .filter((finding) => finding.job_id === document.job_id)
      .map(({ job_id: _job, ...finding }) => finding),
  }));
}
