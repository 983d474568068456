/** A name of the database as words. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}
