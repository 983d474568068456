import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Vectors of other logs, which are handed over and not kept here. */
const FOLDER = join(process.env['DOCKET_CORPUS'] ?? '../shared/corpus', 'tlog');

/** For the options of a test that needs the vectors: false, or why it is skipped. */
export const noVectors: string | false = existsSync(FOLDER)
  ? false
  : `there are no vectors at ${FOLDER}; DOCKET_CORPUS says where they are`;

export function vectorPath(...path: readonly string[]): string {
  return join(FOLDER, ...path);
}

export function vector(...path: readonly string[]): Buffer {
  return readFileSync(vectorPath(...path));
}

/** How each note of the corpus is to be judged by the key beside it, as its index says. */
export const NOTES: Readonly<Record<string, 'good' | 'unsigned' | 'malformed'>> = {
  'cp_ok_size1000.note': 'good',
  'c2sp_checkpoint_example_nokey.note': 'unsigned',
  'cp_unknown_key_only.note': 'unsigned',
  'cp_wrong_key_id.note': 'unsigned',
  'cp_leading_zero_size.note': 'malformed',
  'cp_no_origin.note': 'malformed',
  'crlf.note': 'malformed',
  'no_blank_line.note': 'malformed',
};

/** The log that Tessera tests by: its checkpoints of 0 to 15 leaves, its key, and the hashes of its leaves. */
export function tesseraLog(): { key: string; checkpoints: Buffer[]; leaves: Buffer[] } {
  const tile = vector('tessera-log/tile/0/000.p/15');
  return {
    key: vector('tessera-log/vkey.txt').toString(),
    checkpoints: Array.from({ length: 16 }, (_, size) => vector(`tessera-log/checkpoint.${String(size)}`)),
    leaves: Array.from({ length: 15 }, (_, index) => tile.subarray(32 * index, 32 * index + 32)),
  };
}
