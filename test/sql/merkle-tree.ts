import { createHash } from 'node:crypto';

/** The root of a tree over leaf hashes, word for word as RFC 6962, 2.1, defines it: nothing like the SQL, which works level by level. */
export function rootByDefinition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest();
  if (leaves.length === 1) return leaves[0]!;
  const split = largestPowerBelow(leaves.length);
  return createHash('sha256')
    .update(Buffer.of(1))
    .update(rootByDefinition(leaves.slice(0, split)))
    .update(rootByDefinition(leaves.slice(split)))
    .digest();
}

/** The audit path of a leaf, by the definition of RFC 6962, 2.1.1. */
export function pathByDefinition(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  const split = largestPowerBelow(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...pathByDefinition(index, left), rootByDefinition(right)]
    : [...pathByDefinition(index - split, right), rootByDefinition(left)];
}

/** The consistency proof from the first `from` leaves to all of them, by the definition of RFC 6962, 2.1.2. */
export function consistencyByDefinition(from: number, leaves: readonly Buffer[], isWhole = true): Buffer[] {
  if (from === leaves.length) return isWhole ? [] : [rootByDefinition(leaves)];
  const split = largestPowerBelow(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return from <= split
    ? [...consistencyByDefinition(from, left, isWhole), rootByDefinition(right)]
    : [...consistencyByDefinition(from - split, right, false), rootByDefinition(left)];
}

function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}
