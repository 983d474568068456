/** PostgreSQL's text form of a time in a session in UTC as ISO 8601, every digit kept; null stays null. */
export function isoTime(text: string): string;
export function isoTime(text: string | null): string | null;
export function isoTime(text: string | null): string | null {
  return text === null ? null : text.replace(' ', 'T').replace(/\+00(:00)?$/, 'Z');
}

/** An ISO 8601 time for people: `2026-03-01 09:30:00Z`. */
export function plainTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')}Z`;
}
