import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import type { PutScan } from '../../src/sealing/put-scan.ts';
import { putScan } from '../../src/sealing/put-scan.ts';
import { createS3Fixture } from '../store/s3-fixture.ts';
import { eventually } from '../support/eventually.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { FAULTS, startFaultProxy } from '../support/fault-proxy.ts';
import { objectServer, skipWithoutServer } from '../support/object-server.ts';
import { createFixture } from './fixture.ts';

const server = objectServer();
if (server === undefined) {
  test('no fault of the object store publishes unverified bytes', { skip: skipWithoutServer });
} else {
  const fixture = await createFixture();
  const { db, keyring } = fixture;
  const s3 = await createS3Fixture(server);
  const proxy = await startFaultProxy(server);
  after(() => proxy.stop());
  const through = (tries: number) =>
    s3.store(s3.bucket, { endpoint: proxy.endpoint, patience: { idleMs: 1_000, tries, delayMs: 1 } });

  await db.query(`insert into docket.source_members (source_id, role_name) values ('carrier-a', 'postgres')`);
  await db.query(
    `update docket.failure_codes set base_delay = '20 ms', longest_delay = '5 s' where is_retryable and code ~ '^(STORE|OBJECT)'`,
  );
  /** What recognition was given: the SHA-256 of each file. */
  const recognised: string[] = [];
  const nullEngine = createNullEngine();
  // One try a request: whatever goes wrong becomes an attempt that failed, and the machine has to deal with it.
  await fixture.startWorker(
    {
      ...nullEngine,
      async recognise(file, options) {
        recognised.push(
          createHash('sha256')
            .update(await readFile(file))
            .digest('hex'),
        );
        return nullEngine.recognise(file, options);
      },
    },
    { store: through(1) },
  );

  async function put(): Promise<PutScan> {
    const scan = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(150_000)]);
    const sha256 = createHash('sha256').update(scan).digest();
    for (;;) {
      const bytes = (async function* () {
        yield await Promise.resolve(scan);
      })();
      const signal = new AbortController().signal;
      try {
        return await putScan(
          { store: through(4), keyring, db },
          { sourceId: 'carrier-a', sha256, bytes, signal },
        );
      } catch (error) {
        // Who sends tries again.
        assert.ok(error instanceof DocketError && error.code.startsWith('STORE_'), String(error));
      }
    }
  }

  async function deliver(scan: PutScan): Promise<string> {
    const { rows } = await db.query<{ job_id: string }>(
      `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at)
       values ('carrier-a', $1, $2, $3, $4, 'image/png', now() - interval '1 minute') returning job_id`,
      [scan.sha256, scan.object, scan.version, scan.sizeBytes],
    );
    return rows[0]!.job_id;
  }

  /** Where work on the job came to an end. */
  async function ended(job: string): Promise<{ state: string; code: string | null }> {
    return eventually(
      'the job ended',
      async () => {
        const { rows } = await db.query<{ state: string; code: string | null }>(
          `select state, last_code as code from docket.jobs where job_id = $1 and state in ('published', 'quarantined')`,
          [job],
        );
        return rows[0];
      },
      { withinMs: 30_000 },
    );
  }

  async function attempts(job: string): Promise<{ code: string | null; pause_ms: number | null }[]> {
    const { rows } = await db.query<{ code: string | null; pause_ms: number | null }>(
      `select code, extract(epoch from started_at - lag(ended_at) over (order by attempt))::float8 * 1000 as pause_ms
       from docket.attempts where job_id = $1 order by attempt`,
      [job],
    );
    return rows;
  }

  /** What the bytes themselves betray is not tried again: a person looks, and releases. */
  const DAMAGE = ['OBJECT_DAMAGED', 'OBJECT_SWAPPED', 'HASH_MISMATCH', 'SIZE_MISMATCH'];

  /** Puts, delivers and waits while call `k` goes wrong; returns what was seen, and whether there was such a call. */
  async function flow(fault: Fault, k: number): Promise<{ wasHurt: boolean; codes: (string | null)[] }> {
    recognised.length = 0;
    proxy.plan(({ number }) => (number === k ? fault : undefined));
    const scan = await put();
    const job = await deliver(scan);
    const first = await ended(job);
    if (first.state === 'quarantined') {
      assert.ok(
        ['wrong', 'nothing'].includes(fault) && DAMAGE.includes(first.code ?? ''),
        JSON.stringify(first),
      );
      await db.query(`select docket.release_quarantined(array[$1::uuid], 'the store was repaired')`, [job]);
      await eventually('it is published', async () => (await fixture.states([job]))[0] === 'published');
    }
    assert.deepEqual(recognised, [scan.sha256.toString('hex')]);
    const { rows } = await db.query<{ count: string }>(
      `select count(*) from docket_audit.events where job_id = $1 and event = 'published'`,
      [job],
    );
    assert.equal(rows[0]?.count, '1');
    return {
      wasHurt: proxy.calls.some((call) => call.fault !== undefined),
      codes: (await attempts(job)).map((attempt) => attempt.code),
    };
  }

  for (const fault of FAULTS) {
    test(`"${fault}" at any one call from put to publication publishes the very scan once, and nothing else`, async () => {
      const codes = new Set<string | null>();
      let k = 1;
      for (; ; k += 1) {
        const seen = await flow(fault, k);
        for (const code of seen.codes) codes.add(code);
        if (!seen.wasHurt) break;
      }
      // Put, read back, and read for the hash and for recognition.
      assert.ok(k > 4);
      assert.ok(codes.size > 1, 'the fault was never seen by the worker');
    });
  }

  test('while the store is away work is tried again with growing pauses, and is published when it is back', async () => {
    const scan = await put();
    proxy.plan(({ number }) => (number <= 4 ? '503' : undefined));
    const job = await deliver(scan);
    assert.deepEqual(await ended(job), { state: 'published', code: 'STORE_UNAVAILABLE' });
    const tries = await attempts(job);
    const failed = tries.filter((attempt) => attempt.code === 'STORE_UNAVAILABLE');
    assert.equal(failed.length, 4);
    // The pause after the n-th failure is 20 ms · 2^(n-1), four fifths of it at least; the third opens the breaker for two seconds, and
    // what tried that in vain has the next wait for four.
    [16, 32, 1_900, 3_900].forEach((leastMs, n) => assert.ok((tries[n + 1]?.pause_ms ?? 0) >= leastMs));
  });

  test('at the end nothing is under way, and every document is published', async () => {
    const { rows } = await db.query<{ state: string }>('select distinct state from docket.jobs');
    assert.deepEqual(rows, [{ state: 'published' }]);
    await eventually('the queue is empty', async () => {
      const queue = await db.query('select from graphile_worker._private_jobs');
      return queue.rowCount === 0;
    });
  });
}
