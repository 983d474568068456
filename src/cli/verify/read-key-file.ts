import { readFile } from 'node:fs/promises';
import type { VerifierKey } from '../../domain/verifier-key.ts';
import { readVerifierKey } from '../../domain/verifier-key.ts';
import { DocketError } from '../../errors.ts';
import { refuseFile } from '../scan-files.ts';

/** The keys of a file with a line NAME+KEYID+BASE64 for each. Throws USAGE for a file without keys, FILE_NOT_FOUND, FILE_UNREADABLE. */
export async function readKeyFile(file: string): Promise<VerifierKey[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => refuseFile(file, error));
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  try {
    if (lines.length === 0) throw new SyntaxError('it is empty');
    return lines.map(readVerifierKey);
  } catch (cause) {
    throw new DocketError('USAGE', `${file} holds no keys of a log: ${(cause as Error).message}`, {
      cause,
      hint: 'a line for each key, NAME+KEYID+BASE64, as docket checkpoint keys prints them',
    });
  }
}
