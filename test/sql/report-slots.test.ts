import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { seeded } from '../support/seeded.ts';
import { refused } from './refused.ts';
import { openLease } from './stage.ts';

const database = await createTestDatabase();
const db = database.pool();
const worker = database.pool('docket_worker');

type Report = { wanted: number; open: number; heldBack?: string; pool?: string };

/** A process that reports as it is told; answers what it was granted. */
async function openProcess() {
  const { lease, end } = await openLease(database);
  const report = async ({ wanted, open, heldBack, pool = 'ocr' }: Report): Promise<number> => {
    const [row] = await commands.reportSlots(worker, {
      ...{ lease, pools: [pool], wanted: [wanted], running: [open], heldBack: [heldBack ?? null] },
    });
    assert.equal(row!.pool, pool);
    return row!.granted;
  };
  const close = async () => {
    await commands.closeLease(worker, { lease });
    await end();
  };
  return { lease, report, close };
}

async function limit(perProcess: number | null, fleet: number | null, pool = 'ocr'): Promise<void> {
  await db.query('update docket.pool_limits set per_process = $1, fleet = $2 where pool = $3', [
    ...[perProcess, fleet, pool],
  ]);
}

test('a process has the slots that it is configured to have, unless a limit says more or less', async () => {
  const one = await openProcess();
  assert.equal(await one.report({ wanted: 3, open: 0 }), 3);
  for (const slots of [1, 0, 7]) {
    await limit(slots, null);
    assert.equal(await one.report({ wanted: 3, open: 3 }), slots);
  }
  assert.equal(await one.report({ wanted: 3, open: 3, pool: 'io' }), 3);
  await limit(null, null);
  assert.equal(await one.report({ wanted: 3, open: 3 }), 3);
  await one.close();
});

test('slots of the fleet are given to another process once they were given up, and not before', async () => {
  await limit(null, 4);
  const [one, two] = [await openProcess(), await openProcess()];
  assert.equal(await one.report({ wanted: 3, open: 0 }), 3);
  assert.equal(await two.report({ wanted: 3, open: 0 }), 1);
  assert.equal(await one.report({ wanted: 3, open: 3 }), 2);
  assert.equal(await two.report({ wanted: 3, open: 1 }), 1, 'the third of the other is still open');
  assert.equal(await one.report({ wanted: 3, open: 2 }), 2);
  assert.equal(await two.report({ wanted: 3, open: 1 }), 2);

  await limit(null, 1);
  const granted = [
    await one.report({ wanted: 3, open: 2 }),
    await two.report({ wanted: 3, open: 2 }),
    await one.report({ wanted: 3, open: 0 }),
    await two.report({ wanted: 3, open: 0 }),
    await one.report({ wanted: 3, open: 0 }),
  ];
  assert.deepEqual(granted.slice(0, 2).toSorted(), [0, 1], 'one keeps one of those that it has');
  assert.equal(granted[3]! + granted[4]!, 1);
  await Promise.all([one.close(), two.close()]);
});

test('a process that wants less than its share leaves the rest to others, and one that is held back all it has not open', async () => {
  await limit(null, 6);
  const [small, large] = [await openProcess(), await openProcess()];
  assert.equal(await small.report({ wanted: 1, open: 0 }), 1);
  assert.equal(await large.report({ wanted: 9, open: 0 }), 5);
  assert.equal(await small.report({ wanted: 1, open: 0, heldBack: 'memory' }), 0);
  assert.equal(await large.report({ wanted: 9, open: 5 }), 6);
  await Promise.all([small.close(), large.close()]);
});

test('seven slots for three processes are three, two and two', async () => {
  await limit(null, 7);
  const processes = [await openProcess(), await openProcess(), await openProcess()];
  let granted = [0, 0, 0];
  for (let round = 0; round < 3; round += 1) {
    for (const [n, process] of processes.entries()) {
      granted = granted.with(n, await process.report({ wanted: 5, open: granted[n]! }));
    }
  }
  assert.deepEqual(granted.toSorted(), [2, 2, 3]);
  await Promise.all(processes.map((process) => process.close()));
});

test('the slots of a process whose lease ended are free', async () => {
  await limit(null, 4);
  const [gone, late, heir] = [await openProcess(), await openProcess(), await openProcess()];
  assert.equal(await gone.report({ wanted: 4, open: 0 }), 4);
  assert.equal(await heir.report({ wanted: 4, open: 0 }), 0);
  await gone.close();
  assert.equal(await late.report({ wanted: 4, open: 0 }), 2);
  assert.equal(await heir.report({ wanted: 4, open: 0 }), 2);
  await db.query('update docket.leases set deadline = clock_timestamp() where lease_id = $1', [late.lease]);
  assert.equal(await heir.report({ wanted: 4, open: 2 }), 4);
  await refused('ZD040', late.report({ wanted: 4, open: 0 }));
  await refused('ZD040', gone.report({ wanted: 4, open: 0 }));
  await heir.close();

  const { report, close } = await openProcess();
  await report({ wanted: 1, open: 0 });
  const { rows } = await db.query(
    'select from docket.slot_grants g join docket.leases l using (lease_id) where l.closed_at is not null',
  );
  assert.equal(rows.length, 0, 'rows of ended leases are removed when a process begins');
  await close();
});

test('a report of nothing new writes nothing', async () => {
  await limit(null, 4);
  const { lease, report, close } = await openProcess();
  await report({ wanted: 2, open: 0 });
  await report({ wanted: 2, open: 2 });
  const version = async () => {
    const { rows } = await db.query<{ version: string }>(
      'select row(xmin, ctid, reported_at)::text as version from docket.slot_grants where lease_id = $1',
      [lease],
    );
    return rows[0]!.version;
  };
  const before = await version();
  await report({ wanted: 2, open: 2 });
  assert.equal(await version(), before);
  await report({ wanted: 2, open: 1 });
  assert.notEqual(await version(), before);
  await close();
});

test('whatever processes do and in whatever order they report, no more slots are open than the fleet may have', async () => {
  const fleet = 7;
  await limit(null, fleet);
  const processes = await Promise.all(
    [2, 4, 5, 8].map(async (wanted) => ({ ...(await openProcess()), wanted, open: 0, granted: 0 })),
  );
  const share = seeded(20_261_130);
  const random = (below: number) => Math.floor(share() * below);
  const most: number[] = [];
  for (let step = 0; step < 400; step += 1) {
    const one = processes[random(processes.length)]!;
    const held = random(6) === 0 ? { heldBack: 'memory' } : {};
    const about = { wanted: one.wanted, open: one.open, ...held };
    // Now and then the answer gets lost: the process knows only what it was told before, and may not open what it does not know of.
    const answer = await one.report(about);
    if (random(5) > 0) one.granted = answer;
    else one.granted = Math.min(one.granted, one.open);
    one.open = Math.max(one.open - random(3), Math.min(one.granted, one.open + random(4)));
    most.push(processes.reduce((sum, process) => sum + process.open, 0));
  }
  assert.ok(Math.max(...most) <= fleet, `${Math.max(...most)} were open`);
  assert.ok(most.includes(fleet), 'all of them were used');
  await Promise.all(processes.map((process) => process.close()));
});

test('a report that names a pool twice, or leaves a count out, is refused', async () => {
  const { lease, close } = await openProcess();
  const none = null as unknown as number;
  for (const [pools, wanted, running] of [
    [
      ['ocr', 'ocr'],
      [1, 1],
      [0, 0],
    ],
    [['ocr'], [none], [0]],
    [['ocr'], [1], [none]],
    [['ocr', 'io'], [1, 1], [0]],
  ] as const) {
    const report = { lease, pools: [...pools], wanted: [...wanted], running: [...running] };
    await refused('ZD078', commands.reportSlots(worker, { ...report, heldBack: pools.map(() => null) }));
  }
  await close();
});
