// Proofs by C2SP tlog-proof: that a leaf is in the log that a checkpoint states.
import { bytesOfBase64 } from '../domain/canonical-base64.ts';

export interface InclusionProof {
  readonly index: bigint;
  /** From the sibling of the leaf up. */
  readonly hashes: readonly Uint8Array[];
  /** The checkpoint, verbatim. */
  readonly checkpoint: string;
}

/** Takes a proof apart; nothing is verified. Throws SyntaxError where it is none. */
export function readInclusionProof(text: string): InclusionProof {
  const end = text.indexOf('\n\n');
  const [head, index = '', ...hashes] = text.slice(0, Math.max(end, 0)).split('\n');
  if (head !== 'c2sp.org/tlog-proof@v1') throw new SyntaxError('the proof is none of c2sp.org/tlog-proof@v1');
  const [, number] = /^index (0|[1-9][0-9]{0,18})$/.exec(index) ?? [];
  if (number === undefined) throw new SyntaxError('the proof names no index');
  return {
    index: BigInt(number),
    hashes: hashes.map((line) => {
      const bytes = bytesOfBase64(line);
      if (bytes?.length !== 32) throw new SyntaxError('a line of the proof is no base64 of 32 bytes');
      return bytes;
    }),
    checkpoint: text.slice(end + 2),
  };
}
