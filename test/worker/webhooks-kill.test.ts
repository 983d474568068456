import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactVerify, importJWK } from 'jose';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import type { ProcessOptions } from './worker-process.ts';
import { spawnWorker } from './spawn-worker.ts';
import type { Behaviour } from './webhook-receiver.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const fixture = await createFixture();
const { db } = fixture;
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };
const signer = (await openReceiptSigner(config, { mayMake: true }))!;

/** What happens to the first try of each message in turn; two hang or are answered too late, which takes ten seconds. */
const TROUBLE: Behaviour[] = ['accept', 'refuse', 'reset', 'accept', 'hang', 'redirect', 'late', 'endless'];
const known = new Set<string>();
const receiver = await startWebhookReceiver(({ id, times }) => {
  if (times > 1) return 'accept';
  known.add(id);
  const first = TROUBLE[(known.size - 1) % TROUBLE.length]!;
  const isSlow = first === 'hang' || first === 'late';
  return isSlow && known.size > TROUBLE.length ? 'accept' : first;
});
await db.query(`select docket.add_webhook('carrier-a', $1)`, [`${receiver.url}/docket`]);

/** Delivers two documents three times each: the first delivery is received, the others had been before. */
let documents = 0;
async function deliver(): Promise<void> {
  for (let document = 0; document < 2; document += 1) {
    const object = await fixture.put(`scan ${String((documents += 1))}`);
    await fixture.deliver(object, object, object);
  }
}

/** Time passes: what failed is due; and, where nobody lives, what the dead had under way. */
async function wait({ nobodyLives = false } = {}): Promise<void> {
  await db.query(
    'update docket.webhook_messages set due_at = now() where due_at > now() and ($1 or not is_being_sent)',
    [nobodyLives],
  );
  await db.query('update docket.webhooks set resting_until = null where resting_until is not null');
  if (nobodyLives) await db.query('update docket.receipt_orders set due_at = now(), handed_out_until = null');
}

/** A worker that is killed when the test says so, or where the options say; work for it is there before. */
async function kill(dieAt?: ProcessOptions['dieAt'], until?: () => boolean): Promise<void> {
  await deliver();
  const victim = spawnWorker({ config, recogniseMs: 0, ...(dieAt && { dieAt }) });
  // it may be dead before it told that it is at work
  await Promise.race([victim.lease, victim.exited]);
  if (until) {
    await eventually('it is where it is to be killed', async () => {
      await wait();
      return until();
    });
    victim.process.kill('SIGKILL');
  }
  assert.deepEqual(await victim.exited, { code: null, signal: 'SIGKILL' });
  await wait({ nobodyLives: true });
}

interface Issued {
  receipt_id: string;
  job_id: string;
  outcome: string;
  jws: string;
}

test(
  'over workers killed again and again every receipt is acknowledged, and of a document each before the next is sent',
  { timeout: 240_000 },
  async () => {
    const record = 'docket.record_webhook_attempts';
    await kill({ pattern: record, call: 1, when: 'before' });
    const taken = receiver.log.filter((line) => line.startsWith('took ')).map((line) => line.slice(5));
    assert.ok(taken.length > 0, 'something was acknowledged, and nothing recorded');
    await kill({ pattern: record, call: 2, when: 'after' });
    await kill({ pattern: record, call: 3, when: 'before' });
    await kill(undefined, () => receiver.arrivals.some((arrival) => arrival.behaviour === 'hang'));
    for (const more of [1, 4, 9]) {
      const came = receiver.arrivals.length;
      await kill(undefined, () => receiver.arrivals.length >= came + more);
    }

    const rescuer = await fixture.startWorker(createNullEngine(), { signer });
    const issued = await eventually(
      'every receipt is issued and acknowledged',
      async () => {
        await wait();
        const { rows } = await db.query<Issued & { acknowledged: boolean }>(
          `select r.receipt_id, r.job_id, r.outcome, r.jws, m.acknowledged_at is not null as acknowledged
           from docket.receipts r left join docket.webhook_messages m using (receipt_id) order by r.receipt_no`,
        );
        const final = rows.filter((row) => row.outcome !== 'PEND').length;
        return final === documents * 3 && rows.every((row) => row.acknowledged) && rows;
      },
      { withinMs: 90_000, everyMs: 100 },
    );
    await rescuer.stop();

    // at least once, and what was issued is what came
    const key = await importJWK({ ...(await signer.current()).publicJwk });
    const bodies = new Map(receiver.arrivals.map((arrival) => [arrival.id, arrival.body]));
    assert.equal(bodies.size, issued.length);
    for (const { receipt_id: id, jws, outcome } of issued) {
      const body = JSON.parse(bodies.get(id) ?? '{}') as { receipt: string; outcome: string };
      assert.deepEqual([body.receipt, body.outcome], [jws, outcome]);
      const { payload } = await compactVerify(body.receipt, key);
      assert.equal((JSON.parse(Buffer.from(payload).toString()) as { jti: string }).jti, id);
    }

    // in order, document by document: nothing comes before what is earlier was acknowledged
    const jobs = Map.groupBy(issued, (row) => row.job_id);
    assert.equal(jobs.size, documents);
    for (const receipts of jobs.values()) {
      for (const [place, { receipt_id: id }] of receipts.entries()) {
        const earlier = receipts[place - 1]?.receipt_id;
        const came = receiver.log.indexOf(`came ${id}`);
        assert.ok(earlier === undefined || receiver.log.indexOf(`took ${earlier}`) < came, `${id} overtook`);
        const next = receipts[place + 1]?.receipt_id;
        const again = receiver.log.lastIndexOf(`came ${id}`);
        assert.ok(next === undefined || again < receiver.log.indexOf(`came ${next}`), `${id} came late`);
      }
    }

    // what was acknowledged to a worker that died before it recorded so came again
    for (const id of taken) assert.ok(receiver.arrivals.filter((arrival) => arrival.id === id).length > 1);
    const troubles = new Set(receiver.arrivals.map((arrival) => arrival.behaviour));
    assert.deepEqual([...troubles].sort(), [...new Set(TROUBLE)].sort());
  },
);
