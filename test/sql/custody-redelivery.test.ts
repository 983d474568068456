import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { attempt, forge, POWERFUL } from './custody-forger.ts';
import { CustodyStage, type Delivered } from './custody-stage.ts';
import { refused } from './refused.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { further, berta } = custody;
const { stage, other } = further;
const secret = { signer: { name: 'Kunigunde Siegelwachs' }, sender: other };

async function one<Value>(text: string, ...values: unknown[]): Promise<Value> {
  const { rows } = await custody.db.query<Record<string, Value>>(text, values);
  return Object.values(rows[0]!)[0]!;
}

/** A hash that was delivered with a place where its bytes are not, given up and disposed of. */
async function junk(sha256 = randomHash()): Promise<Delivered> {
  const delivered = await custody.quarantined({ sha256, signer: { name: 'Junker' } });
  await custody.dispose(delivered.job);
  return delivered;
}

/** What there is of a delivery: its key, its signer, an order to remove its object. */
async function left({ locator }: Delivered): Promise<Record<string, unknown>> {
  const { rows } = await custody.db.query<Record<string, unknown>>(
    `select
       exists (select from docket.object_keys where locator = $1) as key,
       exists (select from docket.deliveries where locator = $1 and signer::text <> '{}') as signer,
       exists (select from docket.object_orders where locator = $1 and act = 'remove') as removed`,
    [locator],
  );
  return rows[0]!;
}

const WHOLE = { key: true, signer: true, removed: false };
const ERASED = { key: false, signer: false, removed: true };

test('a scan that nobody had seen is brought back by a later delivery, and is a document like any other', async () => {
  const early = await junk();
  const { job, sha256 } = early;
  assert.deepEqual(await left(early), ERASED);
  assert.equal((await custody.custody(job))['disposal'], 'disposed');

  const kept = {
    ...secret,
    sha256,
    documentKind: 'weighbridge_ticket',
    pages: ['Weighbridge ticket 4711: gross 12 t, tare 4 t'],
  };
  const genuine = await custody.deliver(kept);
  assert.equal(genuine.job, job);
  assert.deepEqual((await stage.events(job)).slice(-3), ['disposed', 'redelivered', 'admitted']);
  assert.deepEqual(await left(genuine), WHOLE);
  assert.deepEqual(await left(early), ERASED, 'what was disposed of stays so');
  assert.equal(await one('select docket.is_disposed($1)', job), false);
  assert.equal((await custody.custody(job))['disposal'], null);
  assert.ok(await one('select outlived_at from docket.disposals where job_id = $1', job));
  assert.deepEqual(await custody.wrong(), []);

  await custody.publish(genuine, kept);
  assert.equal((await stage.job(job))['state'], 'published');
  assert.deepEqual(await further.seenBy(job), [other.sourceId]);
  assert.deepEqual(await custody.tablesWith('siegelwachs'), ['docket.deliveries', 'docket.evidence']);
  assert.deepEqual(await custody.wrong(), []);
  // its retention runs, and the disposal that it outlived opens nothing
  await refused('ZD031', custody.request(job));
  for (const become of Object.values(POWERFUL)) {
    for (const statement of [
      'delete from docket.pages where job_id = $1',
      'delete from docket.job_salts where job_id = $1',
      'delete from docket.object_keys where job_id = $1',
      `update docket.deliveries set signer = '{}' where job_id = $1`,
      `update docket.evidence set signer = '{}' where job_id = $1`,
      'update docket.disposals set outlived_at = null where job_id = $1',
      'update docket.disposals set outlived_at = now() where job_id = $1',
    ])
      await refused(
        'ZD001',
        attempt(custody.db, become, (client) => client.query(statement, [job])),
      );
  }
});

test('what was brought back is disposed of by two again, and then for good', async () => {
  const { job, sha256 } = await junk();
  const genuine = await custody.deliver({ ...secret, sha256 });
  await custody.publish(genuine);
  await refused('ZD034', custody.approve(job));
  for (const become of Object.values(POWERFUL))
    await refused(
      'ZD034',
      attempt(custody.db, become, (client) => forge(client, { job, event: 'disposed' })),
    );
  await custody.request(job);
  await refused('ZD033', custody.approve(job, custody.anna));
  assert.equal((await custody.approve(job)).length, 1);
  assert.deepEqual(await left(genuine), ERASED);
  assert.equal(await one('select count(*)::integer from docket.pages where job_id = $1', job), 0);
  assert.equal((await custody.custody(job))['disposal'], 'disposed');

  const late = await custody.deliver({ ...secret, sha256 });
  assert.deepEqual((await stage.events(job)).slice(-2), ['disposed', 'delivered_again']);
  assert.deepEqual(await left(late), ERASED);
  assert.equal(await one('select docket.is_disposed($1)', job), true);
  assert.deepEqual(await custody.wrong(), []);
});

test('a scan is brought back and disposed of as often as nobody sees its bytes', async () => {
  const { job, sha256 } = await junk();
  for (let times = 0; times < 2; times++) {
    await custody.deliver({ sha256 });
    await stage.fail(await stage.begin(job, 'hash'), 'HASH_MISMATCH');
    await custody.dispose(job);
  }
  await custody.publish(await custody.deliver({ ...secret, sha256 }));
  assert.equal(await one('select count(*)::integer from docket.disposals where job_id = $1', job), 3);
  assert.equal(await one('select docket.is_disposed($1)', job), false);
  assert.deepEqual(await custody.wrong(), []);
});

test('the end of retention has what was brought back asked for', async () => {
  const { job, sha256 } = await junk();
  await custody.publish(await custody.deliver({ ...secret, sha256 }));
  await commands.endRetentions(stage.worker, { limit: 1000 });
  assert.equal((await custody.custody(job))['disposal'], 'requested');
  await custody.approve(job, berta);
  assert.deepEqual(await custody.wrong(), []);
});

test('a disposal of what nobody has seen spares what is put and not delivered, or delivered and not noticed', async () => {
  const early = await custody.quarantined();
  const { job, sha256 } = early;
  const put = await custody.put({ ...secret, sha256 });
  const delivered = await custody.put({ ...secret, sha256 });
  // the place of the one that waits to be delivered is named by the other source too
  await stage.deliver({ sha256, locator: put.locator });
  await stage.admit();
  await stage.fail(await stage.begin(job, 'hash'), 'HASH_MISMATCH');
  await custody.request(job);
  await custody.state(delivered, { ...secret });
  await custody.approve(job);
  assert.deepEqual(await left(early), ERASED);
  assert.deepEqual(await left(put), { ...WHOLE, signer: false });
  assert.deepEqual(await left(delivered), WHOLE);
  assert.deepEqual(await custody.wrong(), []);

  await custody.state(put, { ...secret });
  await stage.admit();
  assert.equal((await stage.events(job)).at(-2), 'redelivered');
  assert.deepEqual([await left(put), await left(delivered)], [WHOLE, WHOLE]);
  await custody.publish(delivered);
  assert.deepEqual(await custody.wrong(), []);
});

test('an object that the new delivery names is not removed, and those of documents that were seen are', async () => {
  const sha256 = randomHash();
  const place = `memory:${randomHash().toString('hex')}`;
  const job = await stage.deliver({ sha256, locator: place });
  await stage.admit();
  await stage.fail(await stage.begin(job, 'hash'), 'HASH_MISMATCH');
  await custody.dispose(job);
  const orders = (locator: string) =>
    one<number>(
      `select count(*)::integer from docket.object_orders where act = 'remove' and locator = $1`,
      locator,
    );
  assert.equal(await orders(place), 1);
  await stage.deliver({ sha256, locator: place }, other);
  await stage.admit();
  assert.equal(await orders(place), 0);

  const gone = await custody.published();
  await custody.dispose(gone.job);
  const { sha256: again } = await junk();
  await stage.deliver({ sha256: again, locator: gone.locator }, other);
  await stage.admit();
  assert.equal(await orders(gone.locator), 1);
});

test('the census asks for no key of what was disposed of before it was brought back', async () => {
  const { job, sha256 } = await junk();
  await custody.deliver({ ...secret, sha256 });
  await custody.db.query(
    `insert into docket.inventories (store, begun_at, ended_at, taken_by) values ('memory:', now(), now(), 'test')`,
  );
  const { rows } = await custody.db.query<{ finding: string }>(
    'select finding from docket.object_census() where job_id = $1',
    [job],
  );
  assert.deepEqual(
    rows.map((row) => row.finding).filter((finding) => finding === 'unkeyed'),
    [],
  );
});

test('verification names a scan that was brought back although its bytes had been seen', async () => {
  const { job } = await custody.unread();
  await custody.dispose(job);
  const client = await custody.db.connect();
  try {
    await client.query('begin');
    await client.query('alter table docket_audit.events disable trigger user');
    await forge(client, { job, event: 'redelivered' });
    const { rows } = await client.query<{ first_offender: string }>(
      `select first_offender from docket.verify_results() where checked = 'disposed documents'`,
    );
    assert.deepEqual(rows, [{ first_offender: `${job}: brought back, no approved request` }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
