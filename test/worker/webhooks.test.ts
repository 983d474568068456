import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPublicKey, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLog } from '../../src/log.ts';
import { openReceiptSigner } from '../../src/receipts/signer.ts';
import { startWebhooks } from '../../src/worker/webhooks.ts';
import { addKeyOfReceipts, issueReceipt } from '../sql/issue-receipt.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OpensslFiles } from '../support/openssl-files.ts';
import type { Behaviour } from './webhook-receiver.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const database = await createTestDatabase();
const db = database.pool();
const files = new OpensslFiles();
const log = createLog({ level: process.env['TEST_LOG'] ?? 'silent' });
const signer = (await openReceiptSigner(
  { receiptKeyFile: files.path('receipt-keys.json') },
  { mayMake: true },
))!;
await addKeyOfReceipts(db);

/** A first try is treated as the path says, later ones well; paths that begin with /always are never treated better. */
const receiver = await startWebhookReceiver(({ path, times }) => {
  const [, first = '', behaviour = first] = path.split('/');
  return times === 1 || first === 'always' ? (behaviour as Behaviour) : 'accept';
});

let count = 0;

/** A source with webhooks at these addresses. */
async function addSource(...urls: string[]): Promise<string> {
  const source = `carrier-${String((count += 1))}`;
  await db.query('select docket.add_source($1)', [source]);
  for (const url of urls) await db.query('select docket.add_webhook($1, $2)', [source, url]);
  return source;
}

const at = (path: string) => `${receiver.url}/${path}`;
const start = (patience: { answerWithinMs?: number } = {}) =>
  startWebhooks({ db: database.pool('docket_worker'), signer, log, ...patience });
const cameTo = (path: string) => receiver.arrivals.filter((arrival) => arrival.path === `/${path}`);

async function states(source: string): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query<Record<string, unknown>>(
    `select url, waiting::integer, last_failure from docket.webhook_states where source_id = $1 order by webhook_id`,
    [source],
  );
  return rows;
}

/** What failed is due at once, and nobody rests. */
async function wait(): Promise<void> {
  await db.query(
    'update docket.webhook_messages set due_at = now() where not is_being_sent and due_at > now()',
  );
  await db.query('update docket.webhooks set resting_until = null');
}

const allTaken = (source: string) =>
  eventually(
    'every webhook has acknowledged everything',
    async () => {
      await wait();
      return (await states(source)).every(({ waiting }) => waiting === 0);
    },
    { everyMs: 100 },
  );

test('what is posted is as documented, and is verified by openssl with the commands of the manual', async () => {
  const source = await addSource(at('accept'));
  const receipt = await issueReceipt(db, source, randomUUID());
  const before = Date.now();
  const webhooks = start();
  await allTaken(source);
  await webhooks.stop();
  const [message, ...more] = cameTo('accept');
  assert.deepEqual(more, []);
  assert.deepEqual(JSON.parse(message!.body), {
    type: 'receipt',
    timestamp: '2026-11-30T07:00:00.000000Z',
    source,
    delivery: '7',
    outcome: 'BENV',
    code: 'HASH_MISMATCH',
    receipt: 'a.b.c',
  });
  const { headers } = message!;
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['webhook-id'], receipt);
  const timestamp = Number(headers['webhook-timestamp']) * 1000;
  assert.ok(timestamp > before - 1_000 && timestamp <= Date.now(), `sent at ${String(timestamp)}`);

  const manual = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
  const commands = manual.slice(manual.indexOf('With openssl alone')).split('```')[1]!.replace(/^sh\n/, '');
  const jwk = (await signer.current()).publicJwk;
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  writeFileSync(files.path('key.pem'), key.export({ type: 'spki', format: 'pem' }));
  const verify = (body: string) => {
    writeFileSync(files.path('body.json'), body);
    return execFileSync('sh', ['-ec', commands], {
      cwd: files.folder,
      env: {
        PATH: process.env['PATH'],
        WEBHOOK_ID: headers['webhook-id'] as string,
        WEBHOOK_TIMESTAMP: headers['webhook-timestamp'] as string,
        WEBHOOK_SIGNATURE: headers['webhook-signature'] as string,
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  assert.match(verify(message!.body), /Verified Successfully/);
  assert.throws(() => verify(message!.body.replace('BENV', 'RECE')));
});

/** What a receiver does wrong at the first try, and what operators are told of it. */
const WRONG: [Behaviour, string][] = [
  ['accept', ''],
  ['refuse', 'it answered 503'],
  ['redirect', 'it answered 307'],
  ['reset', 'it cannot be reached: ECONNRESET'],
  ['endless', 'its answer of status 200 is longer than 64 KiB'],
  ['hang', 'it did not answer within 10 seconds'],
  ['late', 'it did not answer within 10 seconds'],
  ['stall', 'it did not answer within 10 seconds'],
];

test('a receiver that fails, redirects, hangs, answers late or without end gets each receipt again, and holds up no other', async () => {
  const source = await addSource(...WRONG.map(([behaviour]) => at(`first/${behaviour}`)));
  const receipts = [
    await issueReceipt(db, source, randomUUID()),
    await issueReceipt(db, source, randomUUID()),
  ];
  const webhooks = start();
  await allTaken(source);
  await webhooks.stop();
  for (const [behaviour] of WRONG) {
    const came = cameTo(`first/${behaviour}`).map((arrival) => arrival.id);
    const times = behaviour === 'accept' ? 1 : 2;
    for (const receipt of receipts) {
      assert.equal(came.filter((id) => id === receipt).length, times, `${behaviour}: ${came.join(', ')}`);
    }
  }
  assert.deepEqual(
    (await states(source)).map((state) => state['last_failure'] ?? ''),
    WRONG.map(([, failure]) => failure),
  );
  assert.equal(cameTo('first/redirect/moved').length, 0);
});

test('while one receiver hangs, has eight messages and gets no more, another gets all of its own', async () => {
  const source = await addSource(at('always/hang'), at('always/accept'));
  for (let document = 0; document < 40; document += 1) await issueReceipt(db, source, randomUUID());
  const webhooks = start({ answerWithinMs: 3_600_000 });
  await eventually('eight are under way', () => cameTo('always/hang').length === 8);
  await db.query(
    `update docket.webhook_messages m set due_at = now() + interval '1 hour' from docket.webhooks w
     where w.webhook_id = m.webhook_id and w.url = $1 and m.is_being_sent`,
    [at('always/hang')],
  );
  // Not only sent: who stops before the last answers are recorded sends those messages again.
  await eventually(
    'the one that answers has everything',
    async () => (await states(source))[1]!['waiting'] === 0,
  );
  assert.equal(cameTo('always/accept').length, 40);
  assert.equal(cameTo('always/hang').length, 8);
  await webhooks.stop();
  // What was under way was handed back, as if it had never been tried.
  const { rows } = await db.query(
    `select from docket.webhook_messages m join docket.webhooks w using (webhook_id)
     where w.source_id = $1 and m.acknowledged_at is null and not m.is_being_sent and m.tries = 0 and m.due_at <= now()`,
    [source],
  );
  assert.equal(rows.length, 40);
  assert.deepEqual(
    (await states(source)).map((state) => [state['waiting'], state['last_failure']]),
    [
      [40, null],
      [0, null],
    ],
  );
  await db.query('update docket.webhooks set is_enabled = false where source_id = $1', [source]);
});

test('nobody is there, or nobody who can show by a certificate who it is: the receipt waits, and operators read why', async () => {
  files.makeCertificate('receiver', '/CN=localhost');
  let requests = 0;
  const server = createServer(
    { key: files.bytes('receiver.key'), cert: files.bytes('receiver.pem') },
    (_request, answer) => {
      requests += 1;
      answer.end();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  const source = await addSource('http://127.0.0.1:1/', `https://127.0.0.1:${port}/`, 'https://[:::]/');
  await issueReceipt(db, source, randomUUID());
  const webhooks = start();
  const failures = await eventually('all have failed', async () => {
    const failed = (await states(source)).map((state) => state['last_failure']);
    return failed.includes(null) ? false : failed;
  });
  await webhooks.stop();
  assert.deepEqual(failures, [
    'it cannot be reached: bad port',
    'it cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT',
    'it cannot be reached: ERR_INVALID_URL',
  ]);
  assert.equal(requests, 0);
});
