/** A seeded source of numbers (sfc32): the same seed gives the same documents on every machine. */
export interface Random {
  /** A number in [0, 1). */
  unit(): number;
  /** A whole number in [low, high]. */
  int(low: number, high: number): number;
  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** `count` different elements, in the order in which they were drawn. */
  sample<T>(list: readonly T[], count: number): T[];
  /** A string of `count` decimal digits. */
  digits(count: number): string;
}

/** FNV-1a, so that a seed can be a readable name. */
function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}

/** Makes the source for a name; integer arithmetic only, so no machine can differ. */
export function createRandom(name: string): Random {
  let a = hashName(name);
  let b = hashName(`${name}/b`);
  let c = hashName(`${name}/c`);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warm = 0; warm < 16; warm++) next();
  const unit = (): number => next() / 4294967296;
  const int = (low: number, high: number): number => low + Math.floor(unit() * (high - low + 1));
  return {
    unit,
    int,
    pick: (list) => list[int(0, list.length - 1)]!,
    sample(list, count) {
      const rest = [...list];
      return Array.from({ length: count }, () => rest.splice(int(0, rest.length - 1), 1)[0]!);
    },
    digits: (count) => Array.from({ length: count }, () => String(int(0, 9))).join(''),
  };
}
