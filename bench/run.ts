// Runs one measurement: npm run bench -- NAME [ARGUMENT]…   Each prints one JSON line.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MEASUREMENTS: Record<string, string> = {
  custody: 'jobs a second through the whole state machine, against the same work without custody',
  intake: 'cost of a delivery, against a plain insert',
  accuracy: 'how well the corpus is read: character errors, digit tokens',
};

const [name = '', ...args] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
if (name in MEASUREMENTS && existsSync(file)) {
  process.argv.splice(2, Infinity, ...args);
  await import(file);
} else {
  console.error('usage: npm run bench -- NAME [ARGUMENT]…');
  for (const [known, meaning] of Object.entries(MEASUREMENTS)) console.error(`  ${known.padEnd(10)} ${meaning}`);
  process.exitCode = 2;
}
