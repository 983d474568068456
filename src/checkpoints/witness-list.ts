import { readFile } from 'node:fs/promises';
import type { VerifierKey } from '../domain/verifier-key.ts';
import { readVerifierKey } from '../domain/verifier-key.ts';
import { DocketError } from '../errors.ts';

/** Somebody else who sees every checkpoint, and cosigns only those that go on from the last one (C2SP tlog-witness). */
export interface Witness {
  readonly key: VerifierKey;
  /** Submission prefix, without a slash at its end. */
  readonly url: string;
}

/** Reads the file of witnesses: `VKEY URL` a line; empty lines and those that begin with # say nothing. Throws CONFIG_WITNESSES. */
export async function readWitnesses(file: string): Promise<Witness[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unusable(file, 'it cannot be read', cause);
  });
  const lines = text.split('\n').map((line, at) => ({ line: line.trim(), at: at + 1 }));
  return lines.flatMap(({ line, at }) =>
    line === '' || line.startsWith('#') ? [] : [toWitness(file, line, at)],
  );
}

function toWitness(file: string, line: string, at: number): Witness {
  const [vkey = '', url = '', ...more] = line.split(/\s+/);
  if (more.length > 0 || !/^https?:\/\/\S+$/.test(url) || !URL.canParse(url)) {
    throw unusable(file, `line ${at} is not VKEY URL`);
  }
  try {
    const key = readVerifierKey(vkey);
    if (key.kind !== 'cosignature') throw new SyntaxError('a witness has a key of type 0x04');
    return { key, url: url.replace(/\/+$/, '') };
  } catch (cause) {
    throw unusable(file, `line ${at}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

function unusable(file: string, problem: string, cause?: unknown): DocketError {
  return new DocketError('CONFIG_WITNESSES', `the file of witnesses ${file} cannot be used: ${problem}`, {
    cause,
    hint: 'DOCKET_WITNESSES names a file with a line for each witness: NAME+KEYID+BASE64 https://ADDRESS',
  });
}
