// Proofs over a Merkle log, by RFC 9162: written from the RFC, not from the SQL.
import { createHash } from 'node:crypto';

/** Whether a proof shows that the leaf with this index is in the tree of this size and root (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  index: bigint,
  size: bigint,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (index < 0n || index >= size || ![leaf, root, ...proof].every(isHash)) return false;
  let fn = index;
  let sn = size - 1n;
  let hash = leaf;
  for (const sibling of proof) {
    if (sn === 0n) return false;
    if (isOdd(fn) || fn === sn) {
      hash = nodeHash(sibling, hash);
      [fn, sn] = toTheLastOdd(fn, sn);
    } else {
      hash = nodeHash(hash, sibling);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && isSame(hash, root);
}

/** Whether a proof shows that the larger tree begins with the leaves of the smaller one (RFC 9162, 2.1.4.2). */
export function isConsistent(
  smaller: bigint,
  larger: bigint,
  smallerRoot: Uint8Array,
  largerRoot: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (smaller < 0n || smaller > larger || ![smallerRoot, largerRoot, ...proof].every(isHash)) return false;
  if (smaller === larger) return proof.length === 0 && isSame(smallerRoot, largerRoot);
  if (smaller === 0n) return proof.length === 0 && isSame(smallerRoot, EMPTY_ROOT);
  // Where the smaller tree is complete, its root is itself the first hash, and the proof leaves it out.
  const isComplete = (smaller & (smaller - 1n)) === 0n;
  const [first, ...rest] = isComplete ? [smallerRoot, ...proof] : proof;
  if (!first || proof.length === 0) return false;
  let fn = smaller - 1n;
  let sn = larger - 1n;
  while (isOdd(fn)) {
    fn >>= 1n;
    sn >>= 1n;
  }
  let old = first;
  let now = first;
  for (const hash of rest) {
    if (sn === 0n) return false;
    if (isOdd(fn) || fn === sn) {
      old = nodeHash(hash, old);
      now = nodeHash(hash, now);
      [fn, sn] = toTheLastOdd(fn, sn);
    } else {
      now = nodeHash(now, hash);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && isSame(old, smallerRoot) && isSame(now, largerRoot);
}

/** Hash of an inner node: SHA-256 over 0x01 and the two below it. */
function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

const NODE = Uint8Array.of(1);

/** Root of a tree without leaves: SHA-256 over nothing. */
const EMPTY_ROOT: Uint8Array = createHash('sha256').digest();

/** Both shifted until the first is odd or nothing: a node without a right sibling stands unchanged on the levels between. */
function toTheLastOdd(fn: bigint, sn: bigint): [bigint, bigint] {
  let [first, second] = [fn, sn];
  while (first !== 0n && !isOdd(first)) {
    first >>= 1n;
    second >>= 1n;
  }
  return [first, second];
}

function isOdd(value: bigint): boolean {
  return (value & 1n) === 1n;
}

function isHash(bytes: Uint8Array): boolean {
  return bytes.length === EMPTY_ROOT.length;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
