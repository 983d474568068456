import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { isConsistent, isIncluded } from '../../src/domain/merkle.ts';
import { consistencyByDefinition, pathByDefinition, rootByDefinition } from '../sql/merkle-tree.ts';
import { merkleVectors, noVectors, vector } from './tlog-corpus.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

interface ReferenceTree {
  leaves_hex: string[];
  empty_root_hex: string;
  roots_hex_by_size: Record<string, string>;
  inclusion: { index: number; size: number; proof_hex: string[] }[];
  consistency: { size1: number; size2: number; proof_hex: string[] }[];
}

test('every proof of the published reference tree is accepted', { skip: noVectors }, () => {
  const tree = JSON.parse(vector('rfc6962/ct_reference_tree_8_leaves.json').toString()) as ReferenceTree;
  const leaves = tree.leaves_hex.map((entry) =>
    createHash('sha256')
      .update(Buffer.concat([Buffer.of(0), hex(entry)]))
      .digest(),
  );
  const root = (size: number) => hex(tree.roots_hex_by_size[String(size)] ?? tree.empty_root_hex);
  for (const { index, size, proof_hex } of tree.inclusion) {
    const proof = proof_hex.map(hex);
    assert.ok(isIncluded(leaves[index]!, BigInt(index), BigInt(size), proof, root(size)));
    assert.ok(!isIncluded(leaves[index]!, BigInt(index) + 1n, BigInt(size), proof, root(size)));
  }
  for (const { size1, size2, proof_hex } of tree.consistency) {
    const proof = proof_hex.map(hex);
    assert.ok(isConsistent(BigInt(size1), BigInt(size2), root(size1), root(size2), proof));
    assert.ok(!isConsistent(BigInt(size1), BigInt(size2), root(size1), root(9 - size2), proof));
  }
  assert.equal(tree.inclusion.length, 36);
  assert.equal(tree.consistency.length, 36);
});

test('the shared vectors of other logs are judged as they say, rejections too', { skip: noVectors }, () => {
  const count = { accepted: 0, refused: 0 };
  for (const { name, isGood, ...one } of merkleVectors()) {
    const isAccepted = one.kind === 'inclusion' ? isIncluded(...one.args) : isConsistent(...one.args);
    assert.equal(isAccepted, isGood, name);
    count[isAccepted ? 'accepted' : 'refused'] += 1;
  }
  // So many are handed over; were the folder read wrongly, they would be none.
  assert.deepEqual(count, { accepted: 11, refused: merkleVectors().length - 11 });
  assert.ok(count.refused > 60, String(count.refused));
});

test('proofs of trees of any size, made by the definition, are accepted, and altered ones are not', () => {
  for (let round = 0; round < 60; round += 1) {
    const leaves = Array.from({ length: randomInt(2, 300) }, () => randomBytes(32));
    const size = BigInt(leaves.length);
    const root = rootByDefinition(leaves);
    const index = randomInt(leaves.length);
    const path = pathByDefinition(index, leaves);
    assert.ok(isIncluded(leaves[index]!, BigInt(index), size, path, root));
    assert.ok(!isIncluded(randomBytes(32), BigInt(index), size, path, root));
    assert.ok(!isIncluded(leaves[index]!, BigInt(index), size, flipped(path), root));
    assert.ok(!isIncluded(leaves[index]!, BigInt(index), size, path.slice(1), root));
    assert.ok(!isIncluded(leaves[index]!, BigInt((index + 1) % leaves.length), size, path, root));
    const from = randomInt(1, leaves.length);
    const older = rootByDefinition(leaves.slice(0, from));
    const proof = consistencyByDefinition(from, leaves);
    assert.ok(isConsistent(BigInt(from), size, older, root, proof));
    assert.ok(!isConsistent(BigInt(from), size, older, root, flipped(proof)));
    assert.ok(!isConsistent(BigInt(from), size, root, older, proof));
    assert.ok(!isConsistent(BigInt(from), size, older, root, [...proof, randomBytes(32)]));
    assert.ok(!isConsistent(BigInt(from), size, older, root, proof.slice(0, -1)));
  }
});

test('the empty tree is the beginning of every tree, by an empty proof and its own root alone', () => {
  const empty = createHash('sha256').digest();
  const root = randomBytes(32);
  assert.ok(isConsistent(0n, 5n, empty, root, []));
  assert.ok(isConsistent(5n, 5n, root, root, []));
  assert.ok(!isConsistent(5n, 5n, root, empty, []));
  assert.ok(!isConsistent(5n, 5n, root, root, [root]));
  assert.ok(!isConsistent(0n, 5n, root, root, []));
  assert.ok(!isConsistent(0n, 5n, empty, root, [root]));
});

test('hashes of other lengths and numbers out of range are no proof, and no error', () => {
  const leaf = randomBytes(32);
  assert.ok(isIncluded(leaf, 0n, 1n, [], leaf));
  assert.ok(!isIncluded(leaf.subarray(1), 0n, 1n, [], leaf.subarray(1)));
  assert.ok(!isIncluded(leaf, 1n, 1n, [], leaf));
  assert.ok(!isIncluded(leaf, -1n, 1n, [], leaf));
  assert.ok(!isIncluded(leaf, 0n, 0n, [], leaf));
  assert.ok(!isConsistent(1n, 1n, leaf.subarray(1), leaf.subarray(1), []));
  assert.ok(!isConsistent(-1n, 1n, leaf, leaf, []));
  assert.ok(!isConsistent(1n, 2n, leaf, leaf, []));
});

/** A proof with one bit of one hash changed. */
function flipped(proof: readonly Buffer[]): Buffer[] {
  const copy = proof.map((hash) => Buffer.from(hash));
  copy[randomInt(copy.length)]![randomInt(32)]! ^= 1 << randomInt(8);
  return copy;
}
