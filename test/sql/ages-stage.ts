import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { sealAll } from './log-stage.ts';
import { tamper } from './log-forger.ts';

/** A step of a document at a time: seconds after the origin. */
export type Step = readonly [from: string, event: string, to: string, second: number];

/** The steps of a document that goes through without trouble, at these seconds. */
export function wholeWay(at: {
  accepted: number;
  admitted: number;
  verified: number;
  extracted: number;
  published: number;
}): Step[] {
  return [
    ['none', 'accepted', 'accepted', at.accepted],
    ['accepted', 'admitted', 'accepted', at.admitted],
    ['accepted', 'verified', 'accepted', at.verified],
    ['accepted', 'started', 'running', at.verified],
    ['running', 'extracted', 'validated', at.extracted],
    ['validated', 'published', 'published', at.published],
  ];
}

/** Where a document of the log belongs. */
interface Belongs {
  source?: string;
  kind?: string;
  lane?: string | null;
  code?: string;
}

/**
 * Writes documents into the log as the superuser, with times that a test chooses, and a row of docket.jobs for each, past all guards:
 * all in one transaction. Times count from `origin`.
 */
export async function writeDocuments(
  db: pg.Pool,
  origin: Date,
  documents: readonly (Belongs & { steps: readonly Step[] })[],
): Promise<string[]> {
  const jobs = documents.map(() => randomUUID());
  const events = documents.flatMap(({ steps, code }, place) =>
    steps.map(([from, event, to, second], index) => ({
      job_id: jobs[place],
      seq: index + 1,
      from_state: from,
      event,
      to_state: to,
      at: atSecond(origin, second),
      code: event === 'quarantined' ? code : null,
    })),
  );
  const projections = documents.map(
    ({ steps, source = 'carrier-a', kind = 'unknown', lane = null }, place) => ({
      job_id: jobs[place],
      source_id: source,
      document_kind: kind,
      lane,
      state: steps.at(-1)![2],
      seq: steps.length,
      state_at: atSecond(origin, steps.at(-1)![3]),
      accepted_at: atSecond(origin, steps[0]![3]),
    }),
  );
  await tamper(db, async (client) => {
    await client.query(
      `insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, code, prev, hash)
       select e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, 'test', 'A test.', e.code,
         case when e.seq > 1 then sha256('') end, sha256(convert_to(e.job_id::text || e.seq, 'UTF8'))
       from json_populate_recordset(null::docket_audit.events, $1) as e`,
      [JSON.stringify(events)],
    );
    await client.query(
      `insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, lane, state, seq, head, state_at, accepted_at)
       select j.job_id, sha256(convert_to(j.job_id::text, 'UTF8')), -1, j.source_id, j.document_kind, j.lane, j.state, j.seq,
         sha256(convert_to(j.job_id::text || j.seq, 'UTF8')), j.state_at, j.accepted_at
       from json_populate_recordset(null::docket.jobs, $1) as j`,
      [JSON.stringify(projections)],
    );
  });
  return jobs;
}

const atSecond = (origin: Date, second: number) => new Date(origin.getTime() + second * 1_000).toISOString();

/** Seals everything, then measures until nothing is left, so many events at a time. */
export async function measureAll(worker: pg.Pool, limit = 1_000): Promise<number> {
  await sealAll(worker);
  let events = 0;
  for (let isMore = true; isMore;) {
    const [row] = await commands.measureAges(worker, { limit });
    events += row!.events;
    isMore = row!.is_more;
  }
  return events;
}
