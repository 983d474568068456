import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { consistencyByDefinition, pathByDefinition, rootByDefinition } from './merkle-tree.ts';

const database = await createTestDatabase();
const db = database.pool();

/** The tree of eight leaves that the reference implementation of Certificate Transparency tests itself by. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((entry) => createHash('sha256').update(Buffer.of(0)).update(Buffer.from(entry, 'hex')).digest());
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
].map((hex) => Buffer.from(hex, 'hex'));
const SIZES = ROOTS.map((_, size) => size);
const PAIRS = SIZES.flatMap((to) => SIZES.filter((from) => from <= to).map((from) => [from, to] as const));

async function ask<T>(expression: string, ...values: unknown[]): Promise<T> {
  const { rows } = await db.query<{ answer: T }>(`select ${expression} as answer`, values);
  return rows[0]!.answer;
}

const isIncluded = (leaf: unknown, index: unknown, size: unknown, proof: unknown, root: unknown) =>
  ask<boolean>('docket_audit.is_included($1, $2, $3, $4, $5)', leaf, index, size, proof, root);
const isConsistent = (from: unknown, to: unknown, fromRoot: unknown, toRoot: unknown, proof: unknown) =>
  ask<boolean>('docket_audit.is_consistent($1, $2, $3, $4, $5)', from, to, fromRoot, toRoot, proof);

async function append(size: number, peaks: Buffer, leaves: Buffer) {
  const { rows } = await db.query<{ size: string; peaks: Buffer; root: Buffer }>(
    'select a.*, docket_audit.merkle_bag(a.peaks) as root from docket_audit.merkle_append($1, $2, $3) a',
    [size, peaks, leaves],
  );
  return rows[0]!;
}

test('the roots of the reference tree are right for every size, and by appending at every split', async () => {
  for (const size of SIZES) {
    assert.deepEqual(rootByDefinition(LEAVES.slice(0, size)), ROOTS[size]);
    assert.deepEqual(
      await ask('docket_audit.merkle_root($1)', Buffer.concat(LEAVES.slice(0, size))),
      ROOTS[size],
    );
  }
  for (const [from, to] of PAIRS) {
    const first = await append(0, Buffer.of(), Buffer.concat(LEAVES.slice(0, from)));
    const both = await append(from, first.peaks, Buffer.concat(LEAVES.slice(from, to)));
    assert.equal(both.size, String(to));
    assert.deepEqual(both.root, ROOTS[to], `${String(from)} to ${String(to)}`);
  }
});

test('trees of any size that are appended to at any splits have the root that the definition gives', async () => {
  for (let round = 0; round < 40; round += 1) {
    const leaves = Array.from({ length: randomInt(1, 700) }, () => randomBytes(32));
    let state = { size: '0', peaks: Buffer.of() as Buffer, root: ROOTS[0] as Buffer };
    const sizes: number[] = [];
    for (let size = 0; size < leaves.length;) {
      const end = Math.min(leaves.length, size + randomInt(1, 300));
      state = await append(size, state.peaks, Buffer.concat(leaves.slice(size, end)));
      sizes.push((size = end));
    }
    const why = `appended up to ${sizes.join(', ')}`;
    assert.deepEqual(state.root, rootByDefinition(leaves), why);
    assert.deepEqual(await ask('docket_audit.merkle_root($1)', Buffer.concat(leaves)), state.root, why);
    assert.equal(state.peaks.length, 32 * [...leaves.length.toString(2)].filter((bit) => bit === '1').length);
  }
});

test('what is no row of hashes, or no tree of that size, has no root', async () => {
  assert.equal(await ask('docket_audit.merkle_root($1)', Buffer.alloc(33)), null);
  assert.equal(await ask('docket_audit.merkle_bag($1)', Buffer.alloc(31)), null);
  assert.equal((await append(3, Buffer.alloc(32), Buffer.alloc(32))).size, null);
  assert.equal((await append(1, Buffer.alloc(32), Buffer.alloc(31))).size, null);
  assert.equal((await append(-1, Buffer.alloc(32 * 64), Buffer.alloc(32))).size, null);
});

test('every proof of the reference tree is accepted, and none for another place, size or root', async () => {
  for (const [index, size] of PAIRS.filter(([one, other]) => one < other)) {
    const proof = pathByDefinition(index, LEAVES.slice(0, size));
    const [leaf, root] = [LEAVES[index], ROOTS[size]];
    assert.equal(
      await isIncluded(leaf, index, size, proof, root),
      true,
      `leaf ${String(index)} of ${String(size)}`,
    );
    assert.equal(await isIncluded(leaf, index + 1, size, proof, root), false);
    assert.equal(await isIncluded(leaf, index, size, [...proof, root], root), false);
    assert.equal(await isIncluded(leaf, index, size, proof, ROOTS[size - 1]), false);
    assert.equal(await isIncluded(root, index, size, proof, leaf), size === 1);
    if (proof.length > 0) assert.equal(await isIncluded(leaf, index, size, proof.slice(1), root), false);
  }
  for (const [from, to] of PAIRS.filter(([one]) => one > 0)) {
    const proof = consistencyByDefinition(from, LEAVES.slice(0, to));
    const [old, now] = [ROOTS[from], ROOTS[to]];
    assert.equal(await isConsistent(from, to, old, now, proof), true, `${String(from)} to ${String(to)}`);
    assert.equal(await isConsistent(from, to, old, now, [...proof, now]), false);
    assert.equal(await isConsistent(from, to, ROOTS[from - 1], now, proof), false);
    if (proof.length > 0) {
      assert.equal(await isConsistent(from, to, old, old, proof), false);
      assert.equal(await isConsistent(from, to, old, now, proof.slice(1)), false);
      assert.equal(await isConsistent(to, from, old, now, proof), false);
    }
  }
});

test('the empty tree is the beginning of every tree, by an empty proof and its own root alone', async () => {
  assert.equal(await isConsistent(0, 5, ROOTS[0], ROOTS[5], []), true);
  assert.equal(await isConsistent(0, 0, ROOTS[0], ROOTS[0], []), true);
  assert.equal(await isConsistent(0, 5, ROOTS[1], ROOTS[5], []), false);
  assert.equal(await isConsistent(0, 0, ROOTS[1], ROOTS[1], []), false);
  assert.equal(await isConsistent(0, 5, ROOTS[0], ROOTS[5], [ROOTS[0]]), false);
});

test('nothing, hashes of other lengths and numbers out of range are no proof, and no error', async () => {
  const proof = pathByDefinition(2, LEAVES);
  const good = [LEAVES[2], 2, 8, proof, ROOTS[8]] as const;
  assert.equal(await isIncluded(...good), true);
  const short = LEAVES[2]!.subarray(1);
  for (const [place, value] of [
    [0, null],
    [0, short],
    [1, null],
    [1, -1],
    [1, 8],
    [1, '9223372036854775807'],
    [2, null],
    [2, 0],
    [2, -8],
    [2, '9223372036854775807'],
    [3, null],
    [3, []],
    [3, [null, ...proof.slice(1)]],
    [3, [short, ...proof.slice(1)]],
    [4, null],
    [4, short],
  ] as const) {
    const bad = good.map((one, index) => (index === place ? value : one)) as unknown as typeof good;
    assert.equal(await isIncluded(...bad), false, `argument ${String(place)}: ${String(value)}`);
  }
  const path = consistencyByDefinition(3, LEAVES);
  const sound = [3, 8, ROOTS[3], ROOTS[8], path] as const;
  assert.equal(await isConsistent(...sound), true);
  for (const [place, value] of [
    [0, null],
    [0, -3],
    [0, 9],
    [1, null],
    [1, 2],
    [1, '9223372036854775807'],
    [2, null],
    [2, short],
    [3, null],
    [3, short],
    [4, null],
    [4, []],
    [4, [null, ...path.slice(1)]],
    [4, [...path.slice(0, -1), null]],
    [4, [short, ...path.slice(1)]],
  ] as const) {
    const bad = sound.map((one, index) => (index === place ? value : one)) as unknown as typeof sound;
    assert.equal(await isConsistent(...bad), false, `argument ${String(place)}: ${String(value)}`);
  }
});

interface Vector {
  desc: string;
  wantErr: boolean;
  proof: string[] | null;
  leafIdx: number;
  treeSize: number;
  root: string;
  leafHash: string;
  size1: number;
  size2: number;
  root1: string;
  root2: string;
}

const VECTORS = join(process.env['DOCKET_CORPUS'] ?? '../shared/corpus', 'tlog/merkle');
const bytes = (base64: string) => Buffer.from(base64, 'base64');

test(
  'the shared vectors of other logs are judged alike',
  {
    skip: existsSync(VECTORS)
      ? false
      : `there are no vectors at ${VECTORS}; DOCKET_CORPUS says where they are`,
  },
  async () => {
    const files = globSync('{inclusion,consistency}/**/*.json', { cwd: VECTORS });
    const count = { accepted: 0, refused: 0 };
    for (const file of files) {
      const vector = JSON.parse(readFileSync(join(VECTORS, file), 'utf8')) as Vector;
      const proof = (vector.proof ?? []).map(bytes);
      const accepted = file.startsWith('inclusion')
        ? await isIncluded(bytes(vector.leafHash), vector.leafIdx, vector.treeSize, proof, bytes(vector.root))
        : await isConsistent(vector.size1, vector.size2, bytes(vector.root1), bytes(vector.root2), proof);
      assert.equal(accepted, !vector.wantErr, `${file}: ${vector.desc}`);
      count[accepted ? 'accepted' : 'refused'] += 1;
    }
    assert.ok(count.accepted > 0 && count.refused > 0, JSON.stringify(count));
  },
);
