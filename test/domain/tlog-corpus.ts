import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { isConsistent, isIncluded } from '../../src/domain/merkle.ts';

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

interface MerkleFile {
  desc: string;
  wantErr: boolean;
  proof: string[] | null;
  root: string;
  leafHash: string;
  leafIdx: number;
  treeSize: number;
  start?: number;
  end: number;
  size: number;
  size1: number;
  size2: number;
  root1: string;
  root2: string;
}

/** A proof as another log states it, and whether it is one. */
export type MerkleVector = { readonly name: string; readonly isGood: boolean } & (
  | { readonly kind: 'inclusion'; readonly args: Parameters<typeof isIncluded> }
  | { readonly kind: 'consistency'; readonly args: Parameters<typeof isConsistent> }
);

const bytes = (base64: string) => Buffer.from(base64, 'base64');

/**
 * The proofs of the corpus. A leaf of a subtree is a leaf of the tree that the subtree is; a subtree at the left edge is an older tree.
 */
export function merkleVectors(): MerkleVector[] {
  return globSync('*/**/*.json', { cwd: vectorPath('merkle') }).map((file) => {
    const one = JSON.parse(vector('merkle', file).toString()) as MerkleFile;
    const about = { name: `${file}: ${one.desc}`, isGood: !one.wantErr };
    const proof = (one.proof ?? []).map(bytes);
    const { start } = one;
    if (file.includes('inclusion')) {
      const [index, size] =
        start === undefined ? [one.leafIdx, one.treeSize] : [one.leafIdx - start, one.end - start];
      const root = bytes(one.root);
      return {
        ...about,
        kind: 'inclusion',
        args: [bytes(one.leafHash), BigInt(index), BigInt(size), proof, root],
      };
    }
    const [from, to] = start === undefined ? [one.size1, one.size2] : [one.end, one.size];
    return {
      ...about,
      kind: 'consistency',
      args: [BigInt(from), BigInt(to), bytes(one.root1), bytes(one.root2), proof],
    };
  });
}
