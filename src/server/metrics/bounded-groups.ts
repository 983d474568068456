/** No source or kind can be called so. */
export const OTHER = '(other)';
/** So many groups are told of by name. */
export const MOST_GROUPS = 20;

/** A figure of a group. */
export interface Grouped {
  readonly group: string;
}

/**
 * Keeps the groups with the greatest weight in any of their rows, and makes one row of the rest for each key, so that the
 * number of series has a bound, however many sources there are.
 */
export function boundGroups<Row extends Grouped>(
  rows: readonly Row[],
  by: {
    weightOf: (row: Row) => number;
    /** What rows have in common that may become one. */
    keyOf: (row: Row) => string;
    merge: (one: Row, other: Row) => Row;
    most?: number;
  },
): Row[] {
  const { weightOf, keyOf, merge, most = MOST_GROUPS } = by;
  const weights = new Map<string, number>();
  for (const row of rows) {
    weights.set(row.group, Math.max(weights.get(row.group) ?? -Infinity, weightOf(row)));
  }
  const named = new Set(
    [...weights]
      .sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
      .slice(0, most)
      .map(([group]) => group),
  );
  const rest = new Map<string, Row>();
  for (const row of rows.filter(({ group }) => !named.has(group))) {
    const key = keyOf(row);
    const present = rest.get(key);
    rest.set(key, { ...(present === undefined ? row : merge(present, row)), group: OTHER });
  }
  return [...rows.filter(({ group }) => named.has(group)), ...rest.values()];
}
