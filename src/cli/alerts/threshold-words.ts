const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Seconds in their two largest units, as docket.age_words says them: 45 s, 12 min 5 s, 2 h 3 min. */
export function ageWords(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([, size]) => left >= size);
  if (first < 0) return '0 s';
  const said = UNITS.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return said.join(' ');
}

/** A threshold, or what was measured, of an objective: a share in per cent, an age in its two largest units; empty where there is none. */
export function measureWords(measure: string, value: number | null): string {
  if (value === null) return '';
  return measure.endsWith('_share') ? `${Number((value * 100).toFixed(1))} %` : ageWords(value);
}
