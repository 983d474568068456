import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { test } from 'node:test';
import { memoryFindings, memoryHere } from '../../../src/cli/doctor/memory.ts';

const GIB = 1024 ** 3;
const config = { ocrSlots: 4, ocrReservedSlots: 2, ocrMemoryMb: 1024, memoryReserveMb: 512 };

test('slots that fit into memory with the reserve have no finding', () => {
  // 6 x 1,024 MiB and 512 MiB are 6.5 GiB.
  assert.deepEqual(memoryFindings(config, 6.5 * GIB), []);
});

test('slots that do not fit are a note where a reserve holds them back, else a warning with the number that fits', () => {
  assert.deepEqual(
    memoryFindings(config, 6.4 * GIB).map(({ severity, remedy }) => [severity, remedy]),
    [['note', null]],
  );
  const [finding] = memoryFindings({ ...config, memoryReserveMb: 0 }, 3.5 * GIB);
  assert.equal(finding!.severity, 'warning');
  assert.match(
    finding!.what,
    /^6 slots of up to 1024 MiB each may take 6144 MiB, and this host has 3584 MiB$/,
  );
  assert.match(finding!.remedy!, /docket pool set ocr --per-process 3 /);
});

test('this process has memory, and not more than the host', () => {
  assert.ok(memoryHere() > 0 && memoryHere() <= totalmem());
});
