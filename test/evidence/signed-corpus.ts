import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SignatureReport } from '../../src/evidence/signature.ts';

export const CORPUS = process.env['DOCKET_CORPUS'] ?? '../shared/corpus';

/** What must be reported of a file, and why where that is not what its index expects. */
export interface SignedFile {
  readonly got: string;
  readonly check: (bytes: Buffer) => Promise<readonly SignatureReport[]>;
  readonly why?: string;
}

/** One signature as a row of the table says it: status, intact, digest, coverage. */
export function inShort({ status, isIntact, digestMatches, coverage }: SignatureReport): string {
  const intact = isIntact === null ? 'intact unknown' : isIntact ? 'intact' : 'not intact';
  const digest =
    digestMatches === null ? 'digest unknown' : digestMatches ? 'digest matches' : 'digest differs';
  return [status, intact, digest, coverage ?? 'no coverage'].join(', ');
}

/** Checks every file of a folder of the signed corpus against a table; a file that the table lacks fails. */
export function testSignedCorpus(
  folder: string,
  files: Readonly<Record<string, SignedFile>>,
  say: (report: SignatureReport) => string = inShort,
): void {
  const index = join(CORPUS, 'INDEX.tsv');
  const title = `signed/${folder}: file, expected, got`;
  if (!existsSync(index)) {
    test(title, { skip: `there is no corpus at ${CORPUS}; DOCKET_CORPUS says where it is` });
    return;
  }
  test(title, async (t) => {
    const rows = readFileSync(index, 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([path = '']) => path.startsWith(`signed/${folder}/`));
    assert.deepEqual(
      rows.map(([path]) => path),
      Object.keys(files).map((file) => `signed/${folder}/${file}`),
    );
    for (const [path = '', , , , , , expected = ''] of rows) {
      const file = files[path.slice(`signed/${folder}/`.length)]!;
      const reports = await file.check(readFileSync(join(CORPUS, path)));
      const got = reports.map(say).join('; ');
      t.diagnostic([path, expected, got, file.why].filter(Boolean).join(' | '));
      assert.equal(got, file.got, path);
    }
  });
}
