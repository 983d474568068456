import { isSignedBy, readNote, signatureLine, signaturesOf } from '../domain/signed-note.ts';
import { DocketError } from '../errors.ts';
import { forked } from './fork.ts';
import type { KeptCheckpoint } from './kept-checkpoint.ts';
import type { Witness } from './witness-list.ts';

/** What shows that the tree of one size begins with that of a smaller one. */
export type ReadProof = (from: bigint, to: bigint) => Promise<readonly Uint8Array[]>;

const ANSWER_WITHIN_MS = 5_000;
const ANSWER_MAX_BYTES = 64 * 1024;

/**
 * Has a witness cosign a checkpoint (C2SP tlog-witness); answers its line, which was verified. `known` is the size that it is thought
 * to have cosigned last; it says if it was another one. Throws WITNESS_FAILED where it does not answer or not as documented, and
 * CHECKPOINT_FORK where what it cosigned before is not what this checkpoint goes on from.
 */
export async function cosign(
  witness: Witness,
  kept: KeptCheckpoint,
  options: { known: bigint; readProof: ReadProof; signal: AbortSignal },
): Promise<string> {
  const { readProof, signal } = options;
  let from = options.known;
  for (const isLast of [false, true]) {
    const proof = from === 0n || from === kept.size ? [] : await readProof(from, kept.size);
    const lines = [
      `old ${from}`,
      ...proof.map((hash) => Buffer.from(hash).toString('base64')),
      '',
      kept.note,
    ];
    const { status, text } = await post(witness, lines.join('\n'), signal);
    if (status === 200) return cosignatureIn(text, witness, kept);
    if (status === 422) {
      throw forked(
        `the witness ${witness.key.name} cosigned another tree of ${from} leaves than this log had`,
      );
    }
    if (status !== 409) throw failed(witness, `answered ${status}`);
    if (!/^(0|[1-9]\d{0,18})\n?$/.test(text)) throw failed(witness, 'answered 409 without a size');
    const cosigned = BigInt(text.trim());
    if (cosigned > kept.size) {
      throw forked(
        `the witness ${witness.key.name} has cosigned ${cosigned} leaves of this log, and the newest checkpoint here counts ${kept.size}`,
      );
    }
    if (cosigned === kept.size && from === kept.size) {
      throw forked(`the witness ${witness.key.name} cosigned another root of ${kept.size} leaves`);
    }
    if (isLast) throw failed(witness, 'changed its mind about what it cosigned last');
    from = cosigned;
  }
  throw failed(witness, 'did not cosign');
}

/** Whether a witness cosigned a checkpoint that has its lines. */
export function isCosignedBy(kept: KeptCheckpoint, { key }: Witness): boolean {
  return isSignedBy(kept, key);
}

function cosignatureIn(lines: string, witness: Witness, { text }: KeptCheckpoint): string {
  const { key } = witness;
  try {
    const answered = readNote(`${text}\n${lines}`);
    if (isSignedBy(answered, key)) {
      const [its] = signaturesOf(answered, key);
      if (its) return signatureLine(key, its.signature);
    }
  } catch (cause) {
    throw failed(witness, 'answered no lines of signatures', cause);
  }
  throw failed(witness, 'answered no good cosignature by its key');
}

async function post(
  witness: Witness,
  body: string,
  stopping: AbortSignal,
): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  try {
    const answer = await fetch(`${witness.url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'docket' },
      body,
      redirect: 'manual',
      signal,
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true });
      if (text.length > ANSWER_MAX_BYTES) throw failed(witness, 'answered more than 64 KiB');
    }
    return { status: answer.status, text };
  } catch (error) {
    stopping.throwIfAborted();
    if (error instanceof DocketError) throw error;
    throw failed(
      witness,
      signal.aborted ? `did not answer within ${ANSWER_WITHIN_MS / 1000} s` : 'cannot be reached',
      error,
    );
  }
}

function failed({ key, url }: Witness, problem: string, cause?: unknown): DocketError {
  return new DocketError('WITNESS_FAILED', `the witness ${key.name} at ${url} ${problem}`, { cause });
}
