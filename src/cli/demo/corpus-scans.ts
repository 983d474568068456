import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import type { DemoScan } from './demo-scan.ts';

/** Beside src/ and dist/; not part of the published package. */
const CORPUS = new URL('../../../corpus/', import.meta.url);

/** The lines of the manifest, as far as they matter here. */
const manifest = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    source: z.string(),
    claimed_sha256: z.hash('sha256').nullable(),
    expected: z.discriminatedUnion('state', [
      z.object({ state: z.literal('published') }),
      z.object({ state: z.literal('quarantined'), code: z.string() }),
      z.object({ state: z.literal('duplicate'), of: z.string() }),
    ]),
  }),
);

/** The documents of the corpus, in the order of its manifest. Throws DEMO_CORPUS_MISSING, with that hint, where there is none. */
export function corpusScans(hint = 'name files of your own: docket demo FILE…'): DemoScan[] {
  const file = new URL('manifest.json', CORPUS);
  if (!existsSync(file)) {
    throw new DocketError('DEMO_CORPUS_MISSING', 'this package comes without the corpus', { hint });
  }
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).map((entry) => ({
    file: entry.file,
    path: fileURLToPath(new URL(`documents/${entry.file}`, CORPUS)),
    sourceId: entry.source,
    kind: entry.kind,
    claimedSha256: entry.claimed_sha256 === null ? undefined : Buffer.from(entry.claimed_sha256, 'hex'),
    expected: entry.expected,
  }));
}
