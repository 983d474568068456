import type pg from 'pg';
import type { NoteKey } from './note-key.ts';

type Client = pg.ClientBase;

/** Switches off everything that stands between a superuser and the tables, within a transaction. */
export async function disarm(client: Client): Promise<void> {
  await client.query('set local session_replication_role = replica');
  await client.query(
    `do $$ declare r record; begin
       for r in select * from docket.expected_guards() loop
         execute format('alter table %s disable trigger %I', r.on_table, r.name);
       end loop;
     end $$`,
  );
}

/** Switches it on again, as whoever wants to stay unseen does. */
export async function rearm(client: Client): Promise<void> {
  await client.query('set local session_replication_role = origin');
  await client.query(
    `do $$ declare r record; begin
       for r in select * from docket.expected_guards() loop
         execute format('alter table %s enable always trigger %I', r.on_table, r.name);
       end loop;
     end $$`,
  );
}

/** Changes what is stored as a superuser can who covers his tracks, and keeps it. */
export async function tamper(
  db: pg.Pool,
  attack: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await disarm(client);
    await attack(client);
    await rearm(client);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Gives one event the right hash of its bytes as they are now. */
export async function rehash(client: Client, job: string, seq: number): Promise<void> {
  await client.query(
    `update docket_audit.events e
     set hash = docket_audit.event_hash(
       e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev)
     where job_id = $1 and seq = $2`,
    [job, seq],
  );
}

/** Gives the events of a job, from one on, the right hashes and links, and the job its head. */
export async function rechain(client: Client, job: string, from = 1): Promise<void> {
  const { rows } = await client.query<{ seq: number }>(
    'select seq from docket_audit.events where job_id = $1 and seq >= $2 order by seq',
    [job, from],
  );
  for (const { seq } of rows) {
    await client.query(
      `update docket_audit.events e set prev = p.hash from docket_audit.events p
       where e.job_id = $1 and e.seq = $2 and p.job_id = e.job_id and p.seq = e.seq - 1`,
      [job, seq],
    );
    await rehash(client, job, seq);
  }
  await client.query(
    `update docket.jobs j set seq = e.seq, state = e.to_state, head = e.hash
     from (select * from docket_audit.events where job_id = $1 order by seq desc limit 1) e
     where j.job_id = e.job_id`,
    [job],
  );
}

/** Seals everything anew at the same transactions as before. */
export async function reseal(client: Client): Promise<void> {
  const { rows } = await client.query<{ xid_to: string }>(
    'select xid_to from docket_audit.seals order by seal_no',
  );
  await client.query('delete from docket_audit.tiles');
  await client.query('delete from docket_audit.seals');
  for (const { xid_to } of rows) await client.query('select docket.make_seal($1, null)', [xid_to]);
}

/** Makes tiles anew, and leaves the seals as they were. */
export async function retile(client: Client): Promise<void> {
  await client.query('create temporary table sealed on commit drop as select * from docket_audit.seals');
  await reseal(client);
  await client.query('delete from docket_audit.seals');
  await client.query('insert into docket_audit.seals select * from sealed');
}

/** Replaces the recorded checkpoints by such of the log as it is now, signed by a key of the forger's own. */
export async function recheckpoint(client: Client, key: NoteKey): Promise<void> {
  await client.query('delete from docket_audit.checkpoints');
  await client.query('delete from docket_audit.checkpoint_keys');
  await client.query('select docket.add_checkpoint_key($1, $2)', [key.origin, key.publicKey]);
  const { rows } = await client.query<{ size: string; root: Buffer }>(
    'select size, root from docket_audit.seals order by seal_no desc limit 2',
  );
  for (const { size, root } of rows) {
    await client.query('select docket.record_checkpoint($1)', [key.note(size, root)]);
  }
}

/** Removes the newest events, and what shows that there were any. */
export async function removeNewest(client: Client, count: number): Promise<void> {
  await client.query(
    `delete from docket_audit.events where event_id in (
       select event_id from docket_audit.events order by xid desc, event_id desc limit $1)`,
    [count],
  );
  await client.query(
    `delete from docket.jobs j where not exists (select from docket_audit.events e where e.job_id = j.job_id)`,
  );
}

/** Removes a document from every table that knows it. */
export async function removeJob(client: Client, job: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attrelid::regclass::text as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
     where c.relnamespace in ('docket'::regnamespace, 'docket_audit'::regnamespace) and a.attname = 'job_id'`,
  );
  for (const { name } of rows) await client.query(`delete from ${name} where job_id = $1`, [job]);
}

/** Adds a document that seems to have been accepted when another one was. */
export async function addBackdated(client: Client, eventId: string): Promise<void> {
  await client.query(
    `with made as (
       insert into docket_audit.events (xid, job_id, seq, from_state, event, to_state, at, actor, reason, hash)
       select o.xid, n.job_id, 1, 'none', 'accepted', 'accepted', o.at, 'carrier-a', 'First delivery of these bytes.',
         docket_audit.event_hash(n.job_id, 1, 'none', 'accepted', 'accepted', o.at, 'carrier-a',
           'First delivery of these bytes.', null, null, '{}', null)
       from docket_audit.events o
       cross join (select gen_random_uuid() as job_id) as n
       where o.event_id = $1
       returning *
     )
     insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at)
     select job_id, sha256('backdated'), 1, 'carrier-a', 'unknown', to_state, seq, hash, at, at from made`,
    [eventId],
  );
}

/** Swaps two events in the order of the log. */
export async function swap(client: Client, one: string, other: string): Promise<void> {
  await client.query(
    `update docket_audit.events e set xid = o.xid from docket_audit.events o
     where (e.event_id, o.event_id) in (($1, $2), ($2, $1))`,
    [one, other],
  );
}
