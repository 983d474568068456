// What it takes the server to let documents enter and to open the first attempts at them, a batch at a time; all of it is rolled back.
import assert from 'node:assert/strict';
import type pg from 'pg';
import { admit, beginAttempts, openLease } from '../../src/db/commands.ts';

const DOCUMENTS = 200;
const BATCH = 50;

/** Milliseconds for each document. What else the machine does only ever adds, so the best of many turns says most. */
export async function claimTimes(superuser: pg.Client): Promise<{ claimMs: number; admitMs: number }> {
  await superuser.query('begin');
  try {
    return await oneTurn(superuser);
  } finally {
    await superuser.query('rollback');
    await superuser.query('reset session authorization');
  }
}

async function oneTurn(superuser: pg.Client): Promise<{ claimMs: number; admitMs: number }> {
  await superuser.query('set session authorization bench_sender');
  await superuser.query(
    `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
     select 'bench', sha256(uuid_send(gen_random_uuid())), 'memory:scan', 1000, 'image/png', now(), 'none'
     from generate_series(1, $1)`,
    [DOCUMENTS],
  );
  await superuser.query('set session authorization docket_worker');
  const [lease] = await openLease(superuser, { host: 'bench', pid: process.pid, pools: ['io'] });
  const admitMs = await milliseconds(async () => {
    const [row] = await admit(superuser, { window: DOCUMENTS });
    assert.equal(row?.admitted, DOCUMENTS);
  });
  await superuser.query('reset session authorization');
  const { rows } = await superuser.query<{ job_id: string; ref: string }>(
    `select payload ->> 'job_id' as job_id, payload ->> 'ref' as ref from graphile_worker._private_jobs`,
  );
  await superuser.query('set session authorization docket_worker');
  let claimed = 0;
  const claimMs = await milliseconds(async () => {
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH);
      const jobs = batch.map((row) => row.job_id);
      const refs = batch.map((row) => row.ref);
      const opened = await beginAttempts(superuser, { jobs, refs, task: 'hash', lease: lease!.lease_id });
      claimed += opened.filter((one) => one.code === null).length;
    }
  });
  assert.equal(claimed, DOCUMENTS);
  return { admitMs: admitMs / DOCUMENTS, claimMs: claimMs / DOCUMENTS };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
