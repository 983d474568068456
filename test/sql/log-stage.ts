import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { eventually } from '../support/eventually.ts';

/** Records the first events of so many jobs in one transaction, as the superuser: the log alone, without documents. */
export async function recordEvents(
  db: pg.Pool | pg.PoolClient,
  count: number,
  at = new Date(),
): Promise<void> {
  await db.query(
    `insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, hash)
     select job_id, 1, 'none', 'accepted', 'accepted', $2, 'test', 'A test.',
       docket_audit.event_hash(job_id, 1, 'none', 'accepted', 'accepted', $2, 'test', 'A test.', null, null, '{}', null)
     from (select gen_random_uuid() as job_id from generate_series(1, $1)) as made`,
    [count, at.toISOString()],
  );
}

/** Seals until nothing is left; other tests on the same server may hold up the horizon for a while. */
export async function sealAll(worker: commands.Queryable, limit = 10_000): Promise<void> {
  await eventually('everything is sealed', async () => {
    while ((await commands.sealEvents(worker, { limit })).length > 0);
    const [status] = await commands.sealStatus(worker);
    return status?.unsealed_events === '0';
  });
}

export interface SealRow {
  seal_no: string;
  epoch: number;
  events: string;
  size: string;
  root: Buffer;
}

export async function seals(db: pg.Pool): Promise<SealRow[]> {
  const { rows } = await db.query<SealRow>(
    'select seal_no, epoch, events, size, root from docket_audit.seals order by seal_no',
  );
  return rows;
}

export interface LeafRow {
  job_id: string;
  seq: number;
  xid: string;
  hash: Buffer;
}

/** All events in the order in which they must become leaves, as the documentation says it. */
export async function leaves(db: pg.Pool): Promise<LeafRow[]> {
  const { rows } = await db.query<LeafRow>(
    `select e.job_id, e.seq, e.xid, e.hash
     from docket_audit.events e
     order by (select max(p.epoch) from docket_audit.epochs p where p.first_event_id <= e.event_id), e.xid, e.event_id`,
  );
  return rows;
}
