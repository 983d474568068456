import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/log.ts';
import { takingTurns, type AuditPiece, type AuditWork } from '../../src/worker/audit-pool.ts';

const log = createLog({ level: 'silent' });

/** Work that has so many pieces, and tells whose each one is. */
function pieces(name: string, count: number, taken: string[]): AuditWork {
  let left = count;
  return (limit) => {
    const claimed = Math.min(left, limit);
    left -= claimed;
    const piece: AuditPiece = () => Promise.resolve();
    taken.push(...Array<string>(claimed).fill(name));
    return Promise.resolve(Array<AuditPiece>(claimed).fill(piece));
  };
}

test('two kinds of work take turns at one slot, and one has it alone when the other has nothing left', async () => {
  const taken: string[] = [];
  const claim = takingTurns([pieces('replay', 5, taken), pieces('reread', 2, taken)], log);
  for (let n = 0; n < 7; n += 1) assert.equal((await claim(1)).length, 1);
  assert.deepEqual(taken, ['replay', 'reread', 'replay', 'reread', 'replay', 'replay', 'replay']);
  assert.deepEqual(await claim(1), []);
});

test('of several slots each has its share, and what the others leave', async () => {
  const taken: string[] = [];
  const both = takingTurns([pieces('replay', 9, taken), pieces('reread', 9, taken)], log);
  assert.equal((await both(4)).length, 4);
  assert.deepEqual(taken.splice(0), ['replay', 'replay', 'reread', 'reread']);
  const few = takingTurns([pieces('replay', 9, taken), pieces('reread', 1, taken)], log);
  assert.equal((await few(4)).length, 4);
  assert.deepEqual(taken.splice(0).sort(), ['replay', 'replay', 'replay', 'reread']);
});

test('a kind that cannot be claimed takes nothing from the other; where neither can, that is told', async () => {
  const taken: string[] = [];
  const refused: AuditWork = () => Promise.reject(new Error('the lease has ended'));
  const claim = takingTurns([refused, pieces('reread', 3, taken)], log);
  assert.equal((await claim(1)).length, 1);
  assert.equal((await claim(2)).length, 2);
  await assert.rejects(claim(1), /the lease has ended/);
});
