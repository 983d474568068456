// Runs one measurement: npm run bench -- NAME [ARGUMENT]…   The last line it prints is its result as JSON.
import { join } from 'node:path';

const MEASUREMENTS: Record<string, string> = {
  custody: 'jobs a second through the whole state machine, against empty jobs of plain queues',
  intake: 'what a delivery costs, against the same rows in tables without rules',
  search: 'how long analysts wait for a search of 100,000 pages, exact, damaged, common or in vain',
  graphql:
    'what an analyst gets of GraphQL a second: lists, nested timelines, searches; against the same SQL',
  seal: 'events a second that become leaves of the log, how long they wait for it, and what proofs take',
  verify:
    'how long it takes to verify the whole log in the database, against SHA-256 alone over as many values',
  storm:
    'how long signed papers and a quiet source wait while another delivers ten times what can be recognised',
  'queue-health':
    'what it takes to tell what waits, since when, and how long documents took, with a million documents',
  growth:
    'what a document and a claim cost with a million finished documents in the tables, against ten thousand',
  memory: 'how much memory a PDF of a thousand pages and a TIFF of 300 take',
  sealing: 'MB a second of scans into and out of their seals, and the memory it takes; against plain AES-GCM',
  recovery:
    'how long work of killed workers waits for others, and that nothing is lost, doubled or left behind; Postgres is killed too',
  accuracy: 'how well degraded pages are read: character errors, digit tokens',
  redaction: 'what the redaction rules find of planted personal data, and what they mask by mistake',
};

const [name = '', ...args] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
if (Object.hasOwn(MEASUREMENTS, name)) {
  // The measurement sees its own arguments only, as if it had been started itself.
  process.argv.splice(1, Infinity, file, ...args);
  await import(file);
} else {
  console.error('usage: npm run bench -- NAME [ARGUMENT]…');
  for (const [known, meaning] of Object.entries(MEASUREMENTS)) {
    console.error(`  ${known.padEnd(10)} ${meaning}`);
  }
  process.exitCode = 2;
}
