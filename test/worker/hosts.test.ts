import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import type { NetworkHost } from '../support/network-host.ts';
import { makeNetworkHost, whyNoNetworkHosts } from '../support/network-host.ts';
import { createFixture } from './fixture.ts';
import { forkWorker } from './fork-worker.ts';

const skip = whyNoNetworkHosts() ?? false;
const fixture = await createFixture();
const { rows: named } = await fixture.db.query<{ name: string }>('select current_database() as name');
const database = named[0]!.name;

function startOn(host: NetworkHost, recogniseMs: number | null) {
  const config = {
    ...fixture.config,
    store: `file:${fixture.config.dataDir}/objects`,
    workerUrl: host.url('docket_worker', database),
    queueUrl: host.url('docket_queue', database),
    ocrSlots: 1,
  };
  return forkWorker({ config, recogniseMs }, host.within);
}

/** How many of the jobs each lease recognised. */
async function shares(jobs: string[]): Promise<number[]> {
  const { rows } = await fixture.db.query<{ jobs: number }>(
    `select count(*)::int as jobs from docket.attempts
     where job_id = any ($1::uuid[]) and task = 'ocr' group by lease_id order by 1 desc`,
    [jobs],
  );
  return rows.map((row) => row.jobs);
}

async function recognise(count: number, name: string): Promise<{ jobs: string[]; pagesASecond: number }> {
  const objects = await Promise.all(Array.from({ length: count }, (_, n) => fixture.put(`${name} ${n}`)));
  const jobs = await fixture.deliver(...objects);
  await eventually(
    'all are published',
    async () => (await fixture.states(jobs)).every((state) => state === 'published'),
    { withinMs: 120_000 },
  );
  const { rows } = await fixture.db.query<{ seconds: number }>(
    `select extract(epoch from max(ended_at) - min(started_at))::float8 as seconds from docket.attempts
     where job_id = any ($1::uuid[]) and task = 'ocr'`,
    [jobs],
  );
  return { jobs, pagesASecond: count / rows[0]!.seconds };
}

test(
  'a further host takes its share of the documents, so that more are recognised a second',
  { skip },
  async (t) => {
    const hosts = [await makeNetworkHost(), await makeNetworkHost()];
    const workers = [startOn(hosts[0]!, 500)];
    try {
      await workers[0]!.lease;
      const alone = await recognise(12, 'alone');
      assert.deepEqual(await shares(alone.jobs), [12]);
      workers.push(startOn(hosts[1]!, 500));
      await workers[1]!.lease;
      const together = await recognise(24, 'together');
      const [more = 0, less = 0] = await shares(together.jobs);
      assert.equal(more + less, 24);
      assert.ok(less >= 8, `${more} and ${less}`);
      t.diagnostic(JSON.stringify({ one: alone.pagesASecond, two: together.pagesASecond }));
    } finally {
      for (const worker of workers) worker.process.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.exited));
      await Promise.all(hosts.map((host) => host.remove()));
    }
  },
);

test(
  'a host that is cut off stops by itself before its lease ends, its document runs elsewhere, and it comes back',
  { skip },
  async () => {
    const [lonely, other] = [await makeNetworkHost(), await makeNetworkHost()];
    const cut = startOn(lonely, null);
    const workers = [cut];
    try {
      const lease = await cut.lease;
      const [job] = await fixture.deliver(await fixture.put('cut off'));
      await cut.recognising();
      lonely.cut();
      const rescuer = startOn(other, 0);
      workers.push(rescuer);
      await rescuer.lease;

      await cut.aborted();
      const { rows } = await fixture.db.query<{ left: number; closed_at: string | null }>(
        'select extract(epoch from deadline - clock_timestamp())::float8 as left, closed_at from docket.leases where lease_id = $1',
        [lease],
      );
      assert.equal(rows[0]!.closed_at, null);
      assert.ok(rows[0]!.left > 0, `its lease had ended ${-rows[0]!.left} s before`);

      await eventually(
        'it is published elsewhere',
        async () => (await fixture.states([job!]))[0] === 'published',
      );
      assert.deepEqual((await fixture.events(job!)).slice(3), [
        'started',
        'ocr_lost',
        'started',
        'extracted',
        'published',
      ]);
      lonely.mend();
      cut.goOn();
      await eventually('it works under a new lease', async () => {
        const { rows: again } = await fixture.db.query(
          `select from docket.leases where pid = (select pid from docket.leases where lease_id = $1)
           and lease_id <> $1 and closed_at is null and opened_at > (select closed_at from docket.leases where lease_id = $1)`,
          [lease],
        );
        return again.length === 1;
      });
      assert.equal((await fixture.events(job!)).at(-1), 'published');
    } finally {
      for (const worker of workers) worker.process.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.exited));
      await Promise.all([lonely.remove(), other.remove()]);
    }
  },
);
