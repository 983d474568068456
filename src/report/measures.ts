/** A share of 100 with one decimal, as `93.4 %`. */
export function formatPercent(value: number): string {
  return `${value.toFixed(1)} %`;
}

/** So many of a thing as `1 page` or `2 pages`. */
export function formatCount(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** A number of bytes as `12.3 KiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
}

/** A time in UTC to the millisecond; a text that is no time stays as it is. */
export function formatTime(text: string): string {
  const time = parseTime(text);
  return time === undefined ? text : new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}

/** Milliseconds since 1970 of an ISO 8601 time or PostgreSQL's text form of one. */
function parseTime(text: string): number | undefined {
  const time = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(time) ? undefined : time;
}

/** A span since the first event, as `+0.412 s`. */
export function formatSince(start: string, text: string): string {
  const [from, to] = [parseTime(start), parseTime(text)];
  return from === undefined || to === undefined ? '' : `+${((to - from) / 1000).toFixed(3)} s`;
}
