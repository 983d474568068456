/** More levels than this would leave each too little time. */
const MOST_LEVELS = 8;

/** The numbers of slots to measure on a host: from one to twice its cores, evenly, one by one where there are few. */
export function levelsFor(cores: number): number[] {
  const most = Math.max(2, 2 * cores);
  const count = Math.min(MOST_LEVELS, most);
  const levels = Array.from({ length: count }, (_, at) => Math.round(((at + 1) * most) / count));
  return [...new Set([1, ...levels])];
}
