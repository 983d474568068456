/**
 * Makes the corpus: `node corpus/make.ts` writes documents/, truth/ and manifest.json, `--check` compares them with what
 * it would write and exits with 1 when anything differs. Further arguments are beginnings of file names to restrict it to.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { CATALOGUE } from './catalogue.ts';
import { describeDocument, readManifest, truthText } from './manifest.ts';
import type { ManifestEntry } from './manifest.ts';

const args = process.argv.slice(2);
const checking = args.includes('--check');
const wanted = args.filter((argument) => !argument.startsWith('--'));
const chosen = CATALOGUE.filter(
  ({ file }) => wanted.length === 0 || wanted.some((start) => file.startsWith(start)),
);

const differing: string[] = [];
function settle(name: string, bytes: Buffer): void {
  const path = new URL(name, import.meta.url);
  if (!checking) writeFileSync(path, bytes);
  else if (!sameBytes(path, bytes)) differing.push(name);
}

function sameBytes(path: URL, bytes: Buffer): boolean {
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}

mkdirSync(new URL('documents', import.meta.url), { recursive: true });
mkdirSync(new URL('truth', import.meta.url), { recursive: true });
const known = new Map(wanted.length > 0 ? readManifest().map((entry) => [entry.file, entry]) : []);
for (const document of chosen) {
  const built = await document.build();
  const entry = describeDocument(document, built);
  known.set(document.file, entry);
  settle(`documents/${document.file}`, built.bytes);
  if (built.truth) settle(`truth/${entry.truth}`, Buffer.from(truthText(built.truth)));
  process.stdout.write(`${document.file}  ${built.bytes.length} bytes\n`);
}
const entries = CATALOGUE.map(({ file }) => known.get(file)).filter(
  (entry): entry is ManifestEntry => entry !== undefined,
);
settle('manifest.json', Buffer.from(`${JSON.stringify(entries, null, 2)}\n`));
if (differing.length > 0) {
  process.stderr.write(`These files are not what corpus/make.ts makes: ${differing.join(', ')}\n`);
  process.exitCode = 1;
}
