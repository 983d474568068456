// What sealing costs: events a second that become leaves of the Merkle log, in batches of about 1,000 and 10,000, against SHA-256 over
// as many values; how long events wait for their seal while documents go through custody; and what proofs take in a log of a million.
import assert from 'node:assert/strict';
import type pg from 'pg';
import { addSource, sealEvents } from '../src/db/commands.ts';
import { openBenchDatabase, type BenchDatabase } from './support/bench-database.ts';
import { publishDocuments } from './support/custody-load.ts';
import { median, rounded, seconds } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const DOCUMENTS = isQuick ? 1_500 : 10_000;
const EVENTS = isQuick ? 60_000 : 1_000_000;
/** Events of one transaction, as a statement records them for some documents at a time. */
const TRANSACTION = 10;
const PROOFS = 500;

/** Records first events of documents that there are not: the log alone. */
async function recordEvents(superuser: pg.Client, count: number): Promise<void> {
  await superuser.query(`set synchronous_commit = off`);
  await superuser.query(
    `do $$
     begin
       for n in 1..${String(count / TRANSACTION)} loop
         insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, hash)
         select job_id, 1, 'none', 'accepted', 'accepted', at, 'bench', 'A measurement.',
           docket_audit.event_hash(job_id, 1, 'none', 'accepted', 'accepted', at, 'bench', 'A measurement.', null, null, '{}', null)
         from (select gen_random_uuid() as job_id, clock_timestamp() as at from generate_series(1, ${String(TRANSACTION)})) as made;
         commit;
       end loop;
     end $$`,
  );
}

/** Seals up to so many events in batches; returns the events a second, commits included. */
async function seal(worker: pg.Client, limit: number, events: number): Promise<number> {
  const times: number[] = [];
  let sealed = 0;
  while (sealed < events) {
    const start = performance.now();
    const [row] = await sealEvents(worker, { limit });
    times.push(performance.now() - start);
    if (row === undefined) break;
    sealed += Number(row.events);
  }
  return sealed / (times.reduce((sum, ms) => sum + ms, 0) / 1_000);
}

async function hashesASecond(client: pg.Client, count: number): Promise<number> {
  const bytes = `decode('00', 'hex') || int8send(n) || decode(repeat('00', 56), 'hex')`;
  const query = `select max(sha256(${bytes})) from generate_series(1, ${String(count)}) as n`;
  return count / (await seconds(() => client.query(query)));
}

/** Milliseconds that the server takes for one of many calls, over numbers at random. */
async function callMs(client: pg.Client, call: string, size: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    const { rows } = await client.query<{ good: string }>(
      `select count(*) filter (where ${call}) as good
       from (select floor(random() * $1)::bigint as n from generate_series(1, $2)) as random`,
      [size, PROOFS],
    );
    times.push((performance.now() - start) / PROOFS);
    assert.equal(rows[0]?.good, String(PROOFS), call);
  }
  return rounded(median(times), 3);
}

async function lagP99Ms(database: BenchDatabase, owner: pg.Client): Promise<number> {
  const sender = await database.connect('bench_sender');
  await publishDocuments({ database, sender, owner, count: DOCUMENTS });
  const { rows } = await owner.query<{ lag: number; sealed: string }>(
    `select percentile_cont(0.99) within group (order by extract(epoch from s.sealed_at - e.at)::double precision) as lag,
       count(*) as sealed
     from docket_audit.seals s join docket_audit.events e on e.xid >= s.xid_from and e.xid < s.xid_to
     -- what was delivered before the worker began was recorded long before there was anybody to seal it
     where e.event <> 'accepted'`,
  );
  assert.ok(Number(rows[0]?.sealed) > 4 * DOCUMENTS);
  return rounded(1_000 * rows[0]!.lag, 0);
}

const database = await openBenchDatabase();
try {
  const owner = await database.connect('postgres');
  await owner.query('create role bench_sender login in role docket_app');
  await addSource(owner, { sourceId: 'bench', login: 'bench_sender' });
  const worker = await database.connect('docket_worker');
  // as the worker that seals: what waits for the disk is the checkpoint
  await worker.query('set synchronous_commit = off');
  const lag = await lagP99Ms(database, owner);
  await seal(worker, 10_000, Infinity);

  await recordEvents(owner, EVENTS);
  await owner.query('vacuum analyze docket_audit.events');
  const raw = await hashesASecond(owner, EVENTS);
  const cpu = await database.cpuSeconds();
  const by1k = await seal(worker, 1_000, EVENTS / 2);
  const by10k = await seal(worker, 10_000, Infinity);
  const cpuSeconds = (await database.cpuSeconds()) - cpu;

  const { rows } = await owner.query<{ size: string; root: Buffer; events: string }>(
    `select s.size, s.root, (select count(*) from docket_audit.events) as events
     from docket_audit.seals s order by s.size desc limit 1`,
  );
  const { size, root, events } = rows[0]!;
  assert.equal(size, events, 'every event is sealed');
  const { rows: computed } = await owner.query<{ root: Buffer }>(
    `select docket_audit.merkle_root(string_agg(hash, '' order by xid, event_id)) as root from docket_audit.events`,
  );
  assert.deepEqual(computed[0]!.root, root, 'and the root is that of all events');

  const proofs = {
    inclusion_ms: await callMs(owner, `cardinality(docket.inclusion_proof(n, ${size})) >= 10`, size),
    consistency_ms: await callMs(owner, `docket.consistency_proof(n + 1, ${size}) is not null`, size),
    root_ms: await callMs(owner, 'octet_length(docket.tree_root(n)) = 32', size),
    is_included_ms: await callMs(
      owner,
      `docket_audit.is_included(
         (select substring(t.hashes from ((n & 255) * 32 + 1)::integer for 32) from docket_audit.tiles t where t.tile_level = 0 and t.tile_no = n >> 8),
         n, ${size}, docket.inclusion_proof(n, ${size}), docket.tree_root(${size}))`,
      String(Number(size) - (Number(size) % 256)),
    ),
  };
  console.log(
    JSON.stringify({
      bench: 'seal',
      value: rounded(by10k, 0),
      unit: 'events/s',
      peer: { sha256: rounded(raw, 0) },
      ratio: rounded(raw / by10k, 2),
      by_1k: rounded(by1k, 0),
      lag_p99_ms: lag,
      ...proofs,
      cpu_s: rounded(cpuSeconds, 2),
      n: Number(size),
    }),
  );
} finally {
  await database.close();
}
