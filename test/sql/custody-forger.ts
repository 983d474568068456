import type pg from 'pg';

/** Those who hold every privilege on the tables. Whoever they become, their session began as a superuser of one name. */
export const POWERFUL: Record<string, string> = {
  'the owner': 'set local role docket_owner',
  'a superuser': 'select',
  'a superuser who switches triggers off': 'set local session_replication_role = replica',
};

/** A legal next event of a job as its forger would write it; without an actor in the name of the session. */
export interface Forged {
  job: string;
  event: string;
  actor?: string;
  detail?: string;
}

/** Writes events, one after the other, past the commands: each with the right hash and predecessor, and the job that follows it. */
export async function forge(client: pg.PoolClient, ...events: Forged[]): Promise<void> {
  for (const { job, event, actor, detail = '{}' } of events) {
    await client.query(
      `with step as (
         select j.job_id, j.seq + 1 as seq, j.state, t.to_state, clock_timestamp() as at, j.head,
           coalesce($3, docket.actor()) as actor
         from docket.jobs j join docket.job_transitions t on t.from_state = j.state and t.event = $2
         where j.job_id = $1
       )
       insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, detail, prev, hash)
       select job_id, seq, state, $2, to_state, at, actor, 'forged', $4, head,
         docket_audit.event_hash(job_id, seq, state, $2, to_state, at, actor, 'forged', null, null, $4, head)
       from step`,
      [job, event, actor, detail],
    );
    await client.query(
      `update docket.jobs j set seq = e.seq, head = e.hash, state = e.to_state
       from docket_audit.events e where j.job_id = $1 and e.job_id = j.job_id and e.seq = j.seq + 1`,
      [job],
    );
  }
}

/** Runs an attempt, as who holds every privilege, in a transaction that is rolled back. Deferred constraints speak at the end. */
export async function attempt(
  db: pg.Pool,
  become: string,
  act: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query(become);
    await act(client);
    await client.query('set constraints all immediate');
  } finally {
    await client.query('rollback');
    client.release();
  }
}
