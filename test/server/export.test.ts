import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createLog } from '../../src/log.ts';
import type { Exports } from '../../src/server/export.ts';
import { createExports, EXPORT_PATH } from '../../src/server/export.ts';
import { refuse } from '../../src/server/http/refusal.ts';
import type { Identity } from '../../src/server/identity.ts';
import { Stage } from '../sql/stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createSender } from '../support/logins.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const other = await createSender(database, 'carrier-b');

/** Published by carrier-a, then quarantined of carrier-a, then verified of carrier-b. */
const published = await stage.published({ sizeBytes: 1234 });
const quarantined = await stage.quarantined({ documentKind: 'delivery_receipt' });
const foreign = await stage.deliver({}, other);
await stage.admit();
await stage.verify(await stage.begin(foreign, 'hash'));

const expiresAt = new Date(Date.now() + 3_600_000);
const ANALYST: Identity = { subject: 'ada', role: 'analyst', sources: ['carrier-a'], expiresAt };
const AUDITOR: Identity = { subject: 'eve', role: 'auditor', sources: ['*'], expiresAt };

const HEADER =
  'document_id,sha256,source_id,document_kind,document_date,captured_at,received_at,verified_at,media_type,' +
  'size_bytes,state,state_at,failure_code,page_count,confidence,is_withheld';

let who: Identity = ANALYST;

/** A server that does nothing but make lists, for whoever `who` is. */
async function serveExports(): Promise<{ url: string; exports: Exports; close(): Promise<void> }> {
  const log = createLog({ level: 'silent' });
  const exports = createExports({ url: database.url('docket_gateway'), log });
  const server = createServer(
    (request, response) =>
      void exports.answer(request, response, who).catch((error: unknown) => refuse(response, error, log)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${EXPORT_PATH}`,
    exports,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const server = await serveExports();
database.beforeDrop(async () => {
  await server.exports.stop();
  await server.close();
});

/** Rows of the list by column; no value of the tests holds a comma or a quote. */
async function list(identity: Identity, parameters = ''): Promise<Record<string, string>[]> {
  who = identity;
  const response = await fetch(`${server.url}${parameters}`);
  assert.equal(response.status, 200);
  const [header, ...lines] = (await response.text()).split('\r\n');
  assert.equal(header, HEADER);
  assert.equal(lines.pop(), '', 'the last line ends like the others');
  const names = HEADER.split(',');
  return lines.map((line) => {
    const values = line.split(',');
    return Object.fromEntries(names.map((name, place) => [name, values[place] ?? 'missing']));
  });
}

async function refusal(identity: Identity, parameters = '', init?: RequestInit): Promise<[number, string]> {
  who = identity;
  const response = await fetch(`${server.url}${parameters}`, init);
  const body = (await response.json()) as { errors: { extensions: { code: string } }[] };
  return [response.status, body.errors[0]!.extensions.code];
}

/** Connections of lists that are open, and what they do. */
async function connections(): Promise<string[]> {
  const { rows } = await stage.db.query<{ state: string }>(
    `select state from pg_stat_activity where application_name = 'docket-export' and datname = $1 and state <> 'idle'`,
    [database.name],
  );
  return rows.map((row) => row.state);
}

test('an analyst gets the documents of the sources of the token, the newest first, and no others', async () => {
  const rows = await list(ANALYST);
  assert.deepEqual(
    rows.map((row) => row['document_id']),
    [quarantined, published],
  );
  const { rows: stored } = await stage.db.query<{ sha256: string; received: string }>(
    `select encode(sha256, 'hex') as sha256,
       replace(to_char(received_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), ' ', 'T') || 'Z' as received
     from docket.evidence where job_id = $1`,
    [published],
  );
  const { verified_at, state_at, ...row } = rows[1]!;
  assert.match(verified_at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.match(state_at!, /Z$/);
  assert.deepEqual(row, {
    document_id: published,
    sha256: stored[0]!.sha256,
    source_id: 'carrier-a',
    document_kind: 'unknown',
    document_date: '',
    captured_at: '2026-01-02T03:04:05.000000Z',
    received_at: stored[0]!.received,
    media_type: 'image/png',
    size_bytes: '1234',
    state: 'published',
    failure_code: '',
    page_count: '1',
    confidence: '90',
    is_withheld: 'true',
  });
  assert.equal(rows[0]!['failure_code'], 'CORRUPT');
});

test('staff of all sources get all documents; a token without sources gets the header', async () => {
  assert.deepEqual(
    (await list(AUDITOR)).map((row) => row['document_id']),
    [foreign, quarantined, published],
  );
  assert.deepEqual(await list({ ...ANALYST, sources: [] }), []);
});

test('parameters narrow the list down, and one that does not exist is refused', async () => {
  const ids = async (parameters: string) =>
    (await list(AUDITOR, parameters)).map((row) => row['document_id']);
  assert.deepEqual(await ids('?source_id=carrier-b'), [foreign]);
  assert.deepEqual(await ids('?state=quarantined&document_kind=delivery_receipt'), [quarantined]);
  assert.deepEqual(await ids(`?state=${encodeURIComponent("x' or 1=1 --")}`), []);
  assert.deepEqual(await ids('?from_date=2026-01-01'), []);
  assert.deepEqual(await refusal(AUDITOR, '?text=secret'), [400, 'EXPORT_PARAMETER']);
  assert.deepEqual(await refusal(AUDITOR, '?source_id=%00'), [400, 'EXPORT_PARAMETER']);
  assert.deepEqual(await refusal(AUDITOR, '?from_date=2026-02-30'), [400, 'EXPORT_PARAMETER']);
});

test('who may see no documents gets none, and nothing of the database is told', async () => {
  who = { ...AUDITOR, role: 'operator' };
  const response = await fetch(server.url);
  assert.equal(response.status, 403);
  assert.deepEqual(await response.json(), {
    errors: [{ message: 'permission denied', extensions: { code: 'PERMISSION_DENIED' } }],
  });
  assert.deepEqual(await refusal(ANALYST, '', { method: 'POST' }), [405, 'METHOD_REFUSED']);
});

test('what a spreadsheet would run is text', async () => {
  const open = await stage.begin(await deliverAdmitted(), 'hash');
  await stage.worker.query('select docket.record_verified($1, $2, $3, $4, $5, null)', [
    [open.job_id],
    [open.attempt],
    [open.token],
    [(open.candidates as { delivery_id: number }[])[0]!.delivery_id],
    ['=1+1'],
  ]);
  assert.equal((await list(ANALYST))[0]!['media_type'], "'=1+1");
});

async function deliverAdmitted(): Promise<string> {
  const job = await stage.deliver();
  await stage.admit();
  return job;
}

/** Enough rows that they cannot all wait in buffers on the way to a client that does not read. */
const MANY = 60_000;

test('a client that does not read makes the server wait, and one that goes ends the query', async () => {
  await stage.db.query(
    `insert into docket.document_sources
       (job_id, source_id, ordinal, delivery_id, document_kind, captured_at, received_at, verified_at)
     select gen_random_uuid(), 'carrier-b', 1, n, 'unknown', now(), now(), now()
     from generate_series(1, $1) as n`,
    [MANY],
  );
  who = { ...AUDITOR, role: 'evidence_owner' };
  const [response] = (await once(get(server.url), 'response')) as [IncomingMessage];
  response.pause();
  await eventually('the query waits for the reader', async () =>
    (await connections()).includes('idle in transaction'),
  );
  response.destroy();
  await eventually('the query has ended', async () => (await connections()).length === 0);
});

test('one person may have two lists at once, and the third is told to wait', async () => {
  who = { ...AUDITOR, role: 'evidence_owner' };
  const open = await Promise.all(
    [1, 2].map(async () => {
      const [response] = (await once(get(server.url), 'response')) as [IncomingMessage];
      return response.pause();
    }),
  );
  assert.deepEqual(await refusal(who), [429, 'EXPORT_BUSY']);
  assert.equal((await list({ ...ANALYST, subject: 'somebody else' })).length, 3);
  for (const response of open) response.destroy();
  await eventually('both have ended', async () => (await connections()).length === 0);
  assert.equal((await list(who, '?source_id=carrier-a')).length, 3, 'and then there is room again');
});

test('a server that stops breaks off lists, so that no part is taken for the whole', async () => {
  const stopping = await serveExports();
  who = { ...AUDITOR, role: 'evidence_owner' };
  const [response] = (await once(get(stopping.url), 'response')) as [IncomingMessage];
  const broken = assert.rejects(async () => {
    await response.toArray();
  }, /aborted/);
  await stopping.exports.stop();
  await broken;
  await stopping.close();
});
