import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { isConsistent, isIncluded } from '../../src/domain/merkle.ts';
import { merkleVectors, noVectors } from '../domain/tlog-corpus.ts';
import { createTestDatabase } from '../support/database.ts';
import { consistencyByDefinition, pathByDefinition, rootByDefinition } from './merkle-tree.ts';

const database = await createTestDatabase();
const db = database.pool();

type Inclusion = Parameters<typeof isIncluded>;
type Consistency = Parameters<typeof isConsistent>;

/** What both verifiers say; they must agree. */
async function included(args: Inclusion): Promise<boolean> {
  return agreed('docket_audit.is_included($1, $2, $3, $4, $5)', args, isIncluded(...args));
}

async function consistent(args: Consistency): Promise<boolean> {
  return agreed('docket_audit.is_consistent($1, $2, $3, $4, $5)', args, isConsistent(...args));
}

async function agreed(call: string, args: readonly unknown[], outside: boolean): Promise<boolean> {
  const { rows } = await db.query<{ good: boolean }>(`select ${call} as good`, [...args]);
  assert.equal(rows[0]!.good, outside, `SQL and TypeScript differ: ${args.map(String).join(' ')}`);
  return outside;
}

test(
  'the shared vectors of other logs, those of subtrees too, are judged alike in SQL and outside it',
  {
    skip: noVectors,
  },
  async () => {
    for (const { name, isGood, ...one } of merkleVectors()) {
      const verdict = one.kind === 'inclusion' ? included(one.args) : consistent(one.args);
      assert.equal(await verdict, isGood, name);
    }
  },
);

test('good proofs, and proofs with anything changed, are judged alike in SQL and outside it', async () => {
  for (let round = 0; round < 150; round += 1) {
    const leaves = Array.from({ length: randomInt(1, 130) }, () => randomBytes(32));
    const [size, root] = [BigInt(leaves.length), rootByDefinition(leaves)];
    const index = randomInt(leaves.length);
    const from = randomInt(1, leaves.length + 1);
    const path: Inclusion = [leaves[index]!, BigInt(index), size, pathByDefinition(index, leaves), root];
    const older = rootByDefinition(leaves.slice(0, from));
    const proof: Consistency = [BigInt(from), size, older, root, consistencyByDefinition(from, leaves)];
    assert.ok(await included(path));
    assert.ok(await consistent(proof));
    // Trees of several sizes can have a path in common: it is the checkpoint that binds size and root to each other.
    for (const place of path.keys()) {
      const verdict = await included(changed(path, place));
      if (place !== 2) assert.equal(verdict, false, `argument ${place}`);
    }
    for (const place of proof.keys()) {
      const verdict = await consistent(changed(proof, place));
      if (place > 1) assert.equal(verdict, false, `argument ${place}`);
    }
  }
});

/** The same call with one thing changed: a number, a bit, or the length of the proof. */
function changed<T extends Inclusion | Consistency>(args: T, place: number): T {
  return args.map((value, at) => (at === place ? other(value) : value)) as T;
}

function other(value: bigint | Uint8Array | readonly Uint8Array[]): unknown {
  if (typeof value === 'bigint') return value + BigInt([-1, 1, 2, 64][randomInt(4)]!);
  if (value instanceof Uint8Array) return flipped(value);
  const choice = randomInt(value.length === 0 ? 1 : 4);
  if (choice === 0) return [...value, randomBytes(32)];
  if (choice === 1) return value.slice(1);
  if (choice === 2) return value.slice(0, -1);
  return value.map((hash, at) => (at === 0 ? flipped(hash) : hash));
}

function flipped(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy[randomInt(copy.length)]! ^= 1 << randomInt(8);
  return copy;
}
