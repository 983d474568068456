import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { randomHash, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const operator = (await createLogin(database, 'docket_operator')).pool;
const auditor = (await createLogin(database, 'docket_auditor')).pool;

interface Listed {
  locator: string;
  version?: string | null;
  sizeBytes?: number;
  /** In minutes before now. */
  age?: number;
}

/** Takes a list of a store that holds these objects. */
async function inventory(objects: Listed[], store = 'memory:'): Promise<void> {
  const [begun] = await commands.beginInventory(operator, { store });
  await commands.addInventoryObjects(operator, {
    inventoryId: begun!.inventory_id,
    locators: objects.map((object) => object.locator),
    versions: objects.map((object) => object.version ?? null),
    sizesBytes: objects.map((object) => String(object.sizeBytes ?? 1000)),
    storedAt: objects.map(({ age = 60 }) => new Date(Date.now() - age * 60_000).toISOString()),
  });
  await commands.endInventory(operator, { inventoryId: begun!.inventory_id });
}

/** What the census finds, as "finding locator", but for what `but` names. */
async function census(but: readonly string[] = []): Promise<string[]> {
  const rows = await commands.objectCensus(operator);
  return rows
    .map((row) => [row.finding, row.locator, row.version].filter((part) => part !== null).join(' '))
    .filter((line) => !but.includes(line));
}

/** Records a sealed object, as long ago as is said. */
async function sealed(
  locator: string,
  {
    version = null,
    source = 'carrier-a',
    age = 60,
  }: { version?: string | null; source?: string; age?: number } = {},
): Promise<void> {
  await stage.db.query(
    `insert into docket.object_keys (object_key_id, locator, version, source_id, sha256, size_bytes, sealed_sha256,
       sealed_size_bytes, key_id, wrapped_key, sealed_by, sealed_at)
     values ($1, $2, $3, $4, $5, 900, $6, 1000, 'k', '\\x00', 'somebody', clock_timestamp() - make_interval(mins => $7))`,
    [randomUUID(), locator, version, source, randomHash(), randomHash(), age],
  );
}

test('without a complete list there is nothing to compare with', async () => {
  await refused('ZD043', commands.objectCensus(operator));
  await commands.beginInventory(operator, { store: 'memory:' });
  await refused('ZD043', commands.objectCensus(operator));
});

test('a store that holds what is known, and nothing else, has no findings', async () => {
  await stage.verified({ locator: 'memory:known' });
  await inventory([{ locator: 'memory:known' }]);
  assert.deepEqual(await census(), []);
});

test('what ought to be there and is not is missing, or has another size', async () => {
  await stage.verified({ locator: 'memory:lost' });
  await stage.verified({ locator: 'memory:short' });
  await stage.deliver({ locator: 'memory:never-seen' });
  await sealed('memory:lost-key');
  await sealed('memory:grown');
  await inventory([
    { locator: 'memory:known' },
    { locator: 'memory:short', sizeBytes: 999 },
    { locator: 'memory:grown', sizeBytes: 1001 },
  ]);
  assert.deepEqual(await census(['undelivered memory:lost-key', 'undelivered memory:grown']), [
    'missing memory:lost',
    'missing memory:lost-key',
    'other size memory:grown',
    'other size memory:short',
  ]);
  const rows = await commands.objectCensus(auditor);
  const lost = rows.find((row) => row.locator === 'memory:lost')!;
  assert.equal(lost.source_id, 'carrier-a');
  assert.match(lost.job_id, /^[0-9a-f-]{36}$/);
  assert.match(lost.meaning, /restore/);
});

const LOST = [
  'missing memory:lost',
  'missing memory:short',
  'missing memory:lost-key',
  'missing memory:grown',
  'undelivered memory:lost-key',
  'undelivered memory:grown',
];

test('what nobody names is orphan; what was sealed and not delivered is told apart', async () => {
  await sealed('memory:sealed-only');
  await sealed('memory:just-sealed', { age: 1 });
  await inventory([
    { locator: 'memory:known' },
    { locator: 'memory:orphan' },
    { locator: 'memory:never-seen' },
    { locator: 'memory:sealed-only' },
    { locator: 'memory:just-sealed' },
  ]);
  assert.deepEqual(await census(LOST), ['orphan memory:orphan', 'undelivered memory:sealed-only']);
});

test('what came while the list was taken is neither missing nor orphan', async () => {
  const [begun] = await commands.beginInventory(operator, { store: 'memory:' });
  await stage.verified({ locator: 'memory:after-its-place-was-listed' });
  await sealed('memory:sealed-meanwhile', { age: 0 });
  await commands.addInventoryObjects(operator, {
    inventoryId: begun!.inventory_id,
    locators: ['memory:known', 'memory:sealed-only', 'memory:just-sealed', 'memory:being-put'],
    versions: [null, null, null, null],
    sizesBytes: ['1000', '1000', '1000', '1000'],
    // The clock of a store may be a few minutes behind.
    storedAt: Array.from({ length: 4 }, () => new Date(Date.now() - 300_000).toISOString()),
  });
  await commands.endInventory(operator, { inventoryId: begun!.inventory_id });
  assert.deepEqual(await census(LOST), ['undelivered memory:sealed-only']);
});

test('a version counts where one is named; another version of a known object is orphan', async () => {
  await sealed('memory:versions', { version: 'v1' });
  const places = ['known', 'sealed-only', 'just-sealed', 'sealed-meanwhile', 'after-its-place-was-listed'];
  const there = places.map((place) => ({ locator: `memory:${place}` }));
  const but = [...LOST, 'undelivered memory:sealed-only', 'undelivered memory:versions v1'];
  await inventory([
    ...there,
    { locator: 'memory:versions', version: 'v1' },
    { locator: 'memory:versions', version: 'v2' },
  ]);
  assert.deepEqual(await census(but), ['orphan memory:versions v2']);
  await inventory([...there, { locator: 'memory:versions', version: 'v2' }]);
  assert.deepEqual(await census(but), ['missing memory:versions v1', 'orphan memory:versions v2']);
});

test('a delivery that says docket without a key for its source is unkeyed', async () => {
  await sealed('memory:of-b', { source: 'carrier-b' });
  await sealed('memory:of-a');
  for (const locator of ['memory:of-b', 'memory:of-a', 'memory:no-key']) {
    await stage.deliver({ locator, encryption: 'docket' });
  }
  const found = (await census()).filter((line) => line.startsWith('unkeyed'));
  assert.deepEqual(found, ['unkeyed memory:no-key', 'unkeyed memory:of-b']);
});

test('keys of a store that was used before are elsewhere, and not missing', async () => {
  await inventory([], 's3://bucket/scans');
  const found = await census();
  assert.ok(found.includes('elsewhere memory:sealed-only'), found.join('\n'));
  assert.ok(!found.some((line) => line.startsWith('missing')), found.join('\n'));
  await sealed('s3://bucket/scans/ab/abcd', { version: 'v1', age: 0 });
  await sealed('s3://bucket/scans-of-others/ab/abcd');
  assert.ok(
    !(await census()).includes('missing s3://bucket/scans/ab/abcd v1'),
    'it may be newer than the list',
  );
  await inventory([], 's3://bucket/scans/');
  const again = await census();
  assert.ok(again.includes('missing s3://bucket/scans/ab/abcd v1'), again.join('\n'));
  assert.ok(again.includes('elsewhere s3://bucket/scans-of-others/ab/abcd'), again.join('\n'));
});

test('only the newest complete list is kept beside the one that is being taken', async () => {
  const [one] = await commands.beginInventory(operator, { store: 'memory:' });
  const [two] = await commands.beginInventory(operator, { store: 'memory:' });
  await refused(
    'ZD042',
    commands.addInventoryObjects(operator, {
      inventoryId: one!.inventory_id,
      locators: ['memory:x'],
      versions: [null],
      sizesBytes: ['1'],
      storedAt: ['2026-01-01T00:00:00Z'],
    }),
  );
  await refused('ZD042', commands.endInventory(operator, { inventoryId: one!.inventory_id }));
  const { rows } = await stage.db.query<{ ended: boolean }>(
    'select ended_at is not null as ended from docket.inventories order by inventory_id',
  );
  assert.deepEqual(
    rows.map((row) => row.ended),
    [true, false],
  );
  await commands.endInventory(operator, { inventoryId: two!.inventory_id });
});
