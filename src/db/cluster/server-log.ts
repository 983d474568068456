import { chownSync, closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import type { ServerUser } from './server-user.ts';

/** Above this size the log of the last server is set aside before another one starts. */
const ROTATE_BYTES = 16 * 1024 * 1024;

/** Opens the server's log for appending; the caller closes the descriptor. */
export function openServerLog(
  file: string,
  user: ServerUser | undefined,
): { descriptor: number; sizeBytes: number } {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o640);
  try {
    if (user) chownSync(file, user.uid, user.gid);
    return { descriptor, sizeBytes: statSync(file).size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The last lines of the log after its first `fromByte` bytes, oldest first. */
export function lastLogLines(file: string, fromByte = 0, count = 12): string[] {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= fromByte) return [];
  const text = readFileSync(file).subarray(fromByte).toString('utf8');
  return text.trimEnd().split('\n').slice(-count);
}
