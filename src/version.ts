import { readFileSync } from 'node:fs';

/** The version of the package that this file belongs to. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
