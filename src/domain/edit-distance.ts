/**
 * Levenshtein's distance: the fewest insertions, deletions and substitutions of UTF-16 code units from `a` to `b`. Where it
 * is more than `most`, the answer is some number above `most`, and is found sooner.
 */
export function editDistance(a: string, b: string, most = Infinity): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  let current = new Array<number>(b.length + 1).fill(0);
  for (let i = 1; i <= a.length; i += 1) {
    const unit = a.charCodeAt(i - 1);
    let least = i;
    current[0] = i;
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (previous[j - 1] ?? 0) + (unit === b.charCodeAt(j - 1) ? 0 : 1);
      const distance = Math.min(substituted, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      current[j] = distance;
      if (distance < least) least = distance;
    }
    // a row never gets better than the best of the row before
    if (least > most) return most + 1;
    [previous, current] = [current, previous];
  }
  return previous[b.length] ?? 0;
}
