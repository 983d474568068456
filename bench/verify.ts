// What it costs to verify the log in the database: events, chains, heads, seals, tree, checkpoint and its signature, of 100,000 and of
// 1,000,000 events in seals of a thousand; beside it SHA-256 alone over as many values of the same lengths in one process of the
// server, in the same run.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import type pg from 'pg';
import { checkpointText } from '../src/domain/checkpoint.ts';
import { signatureLine } from '../src/domain/signed-note.ts';
import { verifierKey } from '../src/domain/verifier-key.ts';
import { openBenchDatabase, type BenchDatabase } from './support/bench-database.ts';
import { median, rounded, seconds } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const SIZES = isQuick ? [20_000, 100_000] : [100_000, 1_000_000];
const ROUNDS = 3;

/** Makes documents of five events each up to so many events, a thousand events a transaction number. */
const FILL = `
create procedure public.fill(p_from integer, p_to integer, p_xid bigint) language plpgsql as $$
begin
  for b in p_from..p_to - 1 loop
    for step in 1..5 loop
      insert into docket_audit.events (xid, job_id, seq, from_state, event, to_state, at, actor, reason, attempt, detail, prev, hash)
      select (p_xid + b)::text::xid8, h.job_id, step, s.from_state, s.event, s.to_state, t.at, s.actor, m.meaning, s.attempt, d.detail, p.hash,
        docket_audit.event_hash(h.job_id, step, s.from_state, s.event, s.to_state, t.at, s.actor, m.meaning, null, s.attempt, d.detail, p.hash)
      from generate_series(1, 200) as i
      cross join lateral (select sha256(int8send(b * 1000 + i)) as sha256) as b256
      cross join lateral (select docket.job_id_of(b256.sha256) as job_id) as h
      join (values
        (1, 'none', 'accepted', 'accepted', 'carrier_a', null::integer, '{"delivery":12345,"sha256":"%s"}'),
        (2, 'accepted', 'admitted', 'accepted', 'docket_worker', null, '{}'),
        (3, 'accepted', 'verified', 'accepted', 'docket_worker', 1,
          '{"delivery":12345,"sha256":"%1$s","media_type":"image/png","size_bytes":123456,"salted_packet_sha256":"%1$s"}'),
        (4, 'accepted', 'started', 'running', 'docket_worker', 2, '{}'),
        (5, 'running', 'extracted', 'validated', 'docket_worker', 2, '{"result_sha256":"%s","page_count":1}')
      ) as s (seq, from_state, event, to_state, actor, attempt, detail) on s.seq = step
      cross join lateral (select clock_timestamp() as at offset 0) as t
      cross join lateral (select format(s.detail, encode(b256.sha256, 'hex')) as detail) as d
      join docket.job_transitions m on m.from_state = s.from_state and m.event = s.event
      left join docket_audit.events p on p.job_id = h.job_id and p.seq = step - 1;
    end loop;
  end loop;
end;
$$;
create procedure public.burn(p_count integer) language plpgsql as $$
begin
  for i in 1..p_count loop perform pg_current_xact_id(); commit; end loop;
end;
$$`;

async function fill(client: pg.Client, worker: pg.Client, from: number, to: number): Promise<void> {
  // transaction numbers that nobody used, and that have ended when the events are sealed
  const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id() as xid');
  await client.query('call public.burn($1)', [to / 1000 + 10]);
  for (let block = from / 1000; block < to / 1000; block += 50) {
    await client.query('call public.fill($1, $2, $3)', [
      block,
      Math.min(block + 50, to / 1000),
      rows[0]!.xid,
    ]);
    await client.query('analyze docket_audit.events');
  }
  await client.query(
    `insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at)
     select e.job_id, e.hash, 1, 'bench', 'unknown', e.to_state, e.seq, e.hash, e.at, e.at
     from docket_audit.events e where e.seq = 5 and not exists (select from docket.jobs j where j.job_id = e.job_id)`,
  );
  while ((await worker.query('select * from docket.seal_events(1000)')).rows.length > 0);
  await client.query('drop table if exists public.raw');
  await client.query(
    `create table public.raw as
     select docket_audit.event_leaf(job_id, seq, from_state, event, to_state, at, actor, reason, code, attempt, detail, prev) as leaf
     from docket_audit.events`,
  );
  await client.query('vacuum analyze');
}

/** Signs the tree as it is now, and records the checkpoint. */
async function checkpoint(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ origin: string; size: string; root: Buffer }>(
    `select e.origin, s.size, s.root from docket_audit.epochs e, docket_audit.seals s order by s.seal_no desc limit 1`,
  );
  const { origin, size, root } = rows[0]!;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = verifierKey(origin, Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
  const text = checkpointText(origin, BigInt(size), root);
  await client.query('select docket.add_checkpoint_key($1, $2)', [origin, Buffer.from(key.publicKey)]);
  await client.query('select docket.record_checkpoint($1)', [
    `${text}\n${signatureLine(key, sign(null, Buffer.from(text), privateKey))}`,
  ]);
}

/** The medians of some rounds: seconds by the clock, and of CPU time of the server. */
async function cost(database: BenchDatabase, work: () => Promise<unknown>) {
  const [clock, cpu] = [[] as number[], [] as number[]];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await database.cpuSeconds();
    clock.push(await seconds(work));
    cpu.push((await database.cpuSeconds()) - before);
  }
  return { clock: median(clock), cpu: median(cpu) };
}

const database = await openBenchDatabase();
try {
  const owner = await database.connect('postgres');
  const worker = await database.connect('docket_worker');
  await owner.query(FILL);
  await owner.query('alter table docket_audit.events disable trigger all');
  await owner.query('alter table docket.jobs disable trigger all');
  await owner.query('set synchronous_commit = off');
  const results: Record<string, number>[] = [];
  let filled = 0;
  for (const size of SIZES) {
    await fill(owner, worker, filled, size);
    filled = size;
    await checkpoint(owner);
    await owner.query('set max_parallel_workers_per_gather = 0');
    const raw = await cost(database, () => owner.query('select count(sha256(leaf)) from public.raw'));
    await owner.query('reset max_parallel_workers_per_gather');
    const log = await cost(database, async () => {
      const { rows } = await owner.query<{ checked: string; checked_count: string; failed_count: string }>(
        'select * from docket.verify_log()',
      );
      // The guards of two tables are off, so that the events could be written.
      assert.deepEqual(
        rows.filter((row) => row.failed_count !== '0').map((row) => row.checked),
        ['guards'],
      );
      const counts = Object.fromEntries(rows.map((row) => [row.checked, Number(row.checked_count)]));
      assert.deepEqual([counts['event hashes'], counts['sealed events']], [size, size]);
    });
    results.push({
      events: size,
      ratio: rounded(log.clock / raw.clock, 1),
      cpu_ratio: rounded(log.cpu / raw.cpu, 1),
      us_per_event: rounded((log.clock / size) * 1e6, 2),
      cpu_us_per_event: rounded((log.cpu / size) * 1e6, 2),
      raw_us_per_event: rounded((raw.clock / size) * 1e6, 2),
      events_s: rounded(size / log.clock, 0),
    });
  }
  const [small, large] = results as [Record<string, number>, Record<string, number>];
  console.log(
    JSON.stringify({
      bench: 'verify',
      value: large['events_s'],
      unit: 'events/s',
      ratio: large['ratio'],
      growth: rounded(large['cpu_us_per_event']! / small['cpu_us_per_event']!, 2),
      sizes: results,
    }),
  );
} finally {
  await database.close();
}
