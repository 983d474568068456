import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../../bench/support/statistics.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { eventually } from '../support/eventually.ts';
import { filesBelow, TraceSearch, tracesOf } from '../support/traces.ts';
import { openOwnServer, type OwnServer } from './own-server.ts';
import { arePublished, fatesOf } from './published-once.ts';
import { RecoveryDocuments } from './recovery-documents.ts';
import { RecoveryFleet, type Blow } from './recovery-fleet.ts';

export interface RecoveryPlan {
  /** Workers killed by SIGKILL, one of them for each kill of Postgres. */
  readonly kills: number;
  /** Workers that stand still for longer than their lease, while others are killed. */
  readonly stops: number;
  readonly postgresKills: number;
  /** Each so-many-th document is a PDF that is really read. */
  readonly pdfEvery: number;
  /** Time between two kills, on average. */
  readonly betweenMs: number;
  readonly random: () => number;
}

export interface RecoveryFigures {
  documents: number;
  pdfs: number;
  kills: number;
  stops: number;
  postgres_kills: number;
  lost: number;
  doubled: number;
  /** Files in temporary folders, and traces of scans in the object store. */
  plaintext_left: number;
  /** Documents that were in the hands of too many workers that died, and were released. */
  quarantined: number;
  /** Deliveries that the sender repeated, because nobody answered. */
  repeated: number;
  /** From the death of a worker until each attempt that it had open, and that may be tried again, was begun anew. */
  restarts: number;
  restart_p50_ms: number;
  restart_p99_ms: number;
  restart_worst_ms: number;
  /** The part of it until the attempt was taken back; the rest is the wait for a slot elsewhere. */
  taken_back_p99_ms: number;
  /** The same for workers that stood still. */
  stopped_worst_ms: number;
  /** From the moment that Postgres takes connections again until a worker begins something. */
  postgres_p50_ms: number;
  postgres_worst_ms: number;
  seconds: number;
}

/**
 * Three worker processes take sealed documents from delivery to publication, some of them by real recognition, while they are
 * killed and stopped and their Postgres is killed, all at random. Then what was acknowledged is counted, and what was left behind.
 */
export async function recoveryStorm(plan: RecoveryPlan): Promise<RecoveryFigures> {
  const begunMs = performance.now();
  const server = await openOwnServer();
  const keyring = await openKeyring(server.config);
  const documents = new RecoveryDocuments(server, { keyring, pdfEvery: plan.pdfEvery });
  const fleet = new RecoveryFleet(server, plan.random);
  try {
    await eventually(
      'the workers are at work',
      async () => {
        const [row] = await server.ask<{ n: number }>('select count(*)::int as n from docket.results');
        return row!.n > 0;
      },
      { withinMs: 120_000 },
    );
    const freezing = (async () => {
      for (let stop = 0; stop < plan.stops; stop += 1) await fleet.freeze();
    })();
    const kills = async (): Promise<void> => {
      for (let kill = plan.postgresKills; kill < plan.kills; kill += 1) {
        await delay(plan.random() * 2 * plan.betweenMs);
        await fleet.kill();
      }
    };
    await Promise.all([kills(), freezing]);
    const recoveries: number[] = [];
    for (let kill = 0; kill < plan.postgresKills; kill += 1) {
      recoveries.push(await killPostgres(server, fleet, plan.random));
    }
    await documents.end();
    const quarantined = await settle(server, documents);
    await fleet.end();

    // What died together with Postgres had to wait for that too.
    const restarts = await restartsOf(server, fleet.kills.slice(0, plan.kills - plan.postgresKills));
    const stopped = await restartsOf(server, fleet.stops);
    assert.equal(await documents.readWell(), documents.words.size);
    return {
      documents: documents.sender.jobs.length,
      pdfs: documents.words.size,
      kills: fleet.kills.length,
      stops: fleet.stops.length,
      postgres_kills: recoveries.length,
      ...(await fatesOf(server.ask, documents.sender.jobs)),
      plaintext_left: plaintextLeft(server, documents),
      quarantined,
      repeated: documents.sender.repeated,
      restarts: restarts.begun.length,
      restart_p50_ms: percentileMs(restarts.begun, 50),
      restart_p99_ms: percentileMs(restarts.begun, 99),
      restart_worst_ms: percentileMs(restarts.begun, 100),
      taken_back_p99_ms: percentileMs(restarts.takenBack, 99),
      stopped_worst_ms: percentileMs(stopped.begun, 100),
      postgres_p50_ms: percentileMs(recoveries, 50),
      postgres_worst_ms: percentileMs(recoveries, 100),
      seconds: Math.round((performance.now() - begunMs) / 1_000),
    };
  } finally {
    await documents.sender.stop();
    await documents.end();
    await fleet.destroy();
    keyring.close();
    await server.close();
  }
}

/** Kills Postgres, and a worker with it; resolves with how long it took after its return until work went on. */
async function killPostgres(server: OwnServer, fleet: RecoveryFleet, random: () => number): Promise<number> {
  await delay(random() * 1_000);
  await fleet.kill();
  await server.kill();
  await server.cluster.ensureRunning();
  const upAt = Date.now();
  const begun = await eventually(
    'a worker begins something',
    async () => {
      const [row] = await server
        .ask<{ at: number | null }>(
          `select (extract(epoch from min(started_at)) * 1000)::float8 as at from docket.attempts
           where started_at > to_timestamp($1::float8 / 1000)`,
          [upAt],
        )
        .catch(() => []);
      return row?.at;
    },
    { withinMs: 60_000 },
  );
  return begun - upAt;
}

/** Waits until all is published; what died with too many workers is released, as an evidence owner would. */
async function settle(server: OwnServer, documents: RecoveryDocuments): Promise<number> {
  let released = 0;
  await eventually(
    'every document is published',
    async () => {
      const rows = await server.ask(
        `select docket.release_quarantined(array_agg(job_id), 'the storm is over') from docket.jobs
         where state = 'quarantined' having count(*) > 0`,
      );
      released += rows.length;
      return arePublished(server.ask, documents.sender.jobs);
    },
    { withinMs: 300_000, everyMs: 200 },
  );
  return released;
}

/**
 * Milliseconds from each blow until each attempt that was lost by it was taken back, and begun anew. What was quarantined then is
 * not begun anew until somebody releases it, and is counted apart.
 */
async function restartsOf(
  server: OwnServer,
  blows: readonly Blow[],
): Promise<{ takenBack: number[]; begun: number[] }> {
  const leases = blows.flatMap(({ at, leases }) => leases.map((lease) => ({ at, lease })));
  const rows = await server.ask<{ taken_back: number; begun: number }>(
    `select (extract(epoch from min(lost.ended_at)) * 1000 - min(b.at))::float8 as taken_back,
       (extract(epoch from min(next.started_at)) * 1000 - min(b.at))::float8 as begun
     from unnest($1::uuid[], $2::float8[]) as b (lease_id, at)
     join docket.attempts lost on lost.lease_id = b.lease_id and lost.outcome = 'lost'
     join docket.attempts next on next.job_id = lost.job_id and next.attempt > lost.attempt
     where not exists (
       select from docket_audit.events e
       where e.job_id = lost.job_id and e.attempt = lost.attempt and e.event = 'quarantined'
     )
     group by lost.job_id, lost.attempt`,
    [leases.map(({ lease }) => lease), leases.map(({ at }) => at)],
  );
  return { takenBack: rows.map((row) => row.taken_back), begun: rows.map((row) => row.begun) };
}

function plaintextLeft(server: OwnServer, documents: RecoveryDocuments): number {
  const traces = [...documents.traces, ...tracesOf('a document', Buffer.from('the plaintext of document'))];
  const store = server.config.store.slice('file:'.length);
  assert.ok(filesBelow(store).length >= documents.sender.jobs.length);
  return filesBelow(server.config.tempDir).length + new TraceSearch(traces).below(store).length;
}

/** In whole milliseconds; 0 where nothing was to be waited for. */
function percentileMs(values: readonly number[], percent: number): number {
  return Math.round(percentile(values, percent) || 0);
}
