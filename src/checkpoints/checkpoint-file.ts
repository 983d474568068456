import type { FileHandle } from 'node:fs/promises';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DocketError } from '../errors.ts';
import { syncFolder } from '../store/file-draft.ts';
import type { KeptCheckpoint } from './kept-checkpoint.ts';
import { keptCheckpoint } from './kept-checkpoint.ts';

/**
 * The file that remembers, outside the database, what was signed: a line of JSON for each checkpoint, `{"at": …, "note": …}`.
 * It is only ever appended to, never changed. A line that a crash cut off was seen by nobody, and is passed over.
 */
export interface CheckpointFile {
  readonly path: string;
  /** The newest checkpoint of a log: of its largest size, as last written. Throws CHECKPOINT_FILE. */
  newest(origin: string): Promise<KeptCheckpoint | undefined>;
  /** The newest checkpoints of a log, or of all, each size once, from the smallest; how many is a matter of space. Throws CHECKPOINT_FILE. */
  recent(origin?: string): Promise<KeptCheckpoint[]>;
  /** Adds a checkpoint; resolves once it is on the disk. Throws CHECKPOINT_FILE. */
  append(note: string): Promise<void>;
}

const FIRST_LOOK_BYTES = 65_536;
const RECENT_BYTES = 1_048_576;
const LINE_FEED = 0x0a;

/** Nothing is read or made before it is used. */
export function openCheckpointFile(path: string): CheckpointFile {
  return {
    path,
    newest: (origin) => attempt(path, () => reading(path, (handle) => newestOf(handle, origin))),
    recent: (origin) =>
      attempt(path, async () => {
        const lines = await reading(path, (handle) => lastLines(handle, RECENT_BYTES));
        return bySize(ofLog(lines?.lines ?? [], origin));
      }),
    append: (note) => attempt(path, () => append(path, note)),
  };
}

async function newestOf(handle: FileHandle, origin: string): Promise<KeptCheckpoint | undefined> {
  for (let bytes = FIRST_LOOK_BYTES; ; bytes *= 8) {
    const { lines, isWhole } = await lastLines(handle, bytes);
    const newest = bySize(ofLog(lines, origin)).at(-1);
    if (newest || isWhole) return newest;
  }
}

/** Whole lines at the end of the file, as far as they fit into so many bytes. */
async function lastLines(handle: FileHandle, bytes: number): Promise<{ lines: string[]; isWhole: boolean }> {
  const { size } = await handle.stat();
  const start = Math.max(0, size - bytes);
  const piece = Buffer.alloc(size - start);
  const { bytesRead } = await handle.read(piece, 0, piece.length, start);
  const lines = piece.toString('utf8', 0, bytesRead).split('\n');
  // What follows the last line feed is no line yet; what comes before the first one is half of one.
  return { lines: lines.slice(start === 0 ? 0 : 1, -1), isWhole: start === 0 };
}

function ofLog(lines: readonly string[], origin: string | undefined): KeptCheckpoint[] {
  return lines.flatMap((line) => {
    try {
      const kept = keptCheckpoint((JSON.parse(line) as { note: string }).note);
      return origin === undefined || kept.origin === origin ? [kept] : [];
    } catch {
      return []; // cut off by a crash, and seen by nobody
    }
  });
}

/** Each size of a log once, as last written, from the smallest. */
function bySize(kept: readonly KeptCheckpoint[]): KeptCheckpoint[] {
  const last = new Map(kept.map((one) => [`${one.origin}\n${one.size}`, one]));
  return [...last.values()].sort((a, b) => (a.size < b.size ? -1 : 1));
}

async function append(path: string, note: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, 'a+', 0o644);
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    // A line that a crash cut off ends here, so that it spoils no other.
    const before = size > 0 && last[0] !== LINE_FEED ? '\n' : '';
    await handle.appendFile(`${before}${JSON.stringify({ at: new Date().toISOString(), note })}\n`);
    await handle.sync();
    if (size === 0) await syncFolder(dirname(path));
  } finally {
    await handle.close();
  }
}

async function reading<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function attempt<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw new DocketError('CHECKPOINT_FILE', `${path} can be neither read nor appended to`, {
      cause,
      hint: 'DOCKET_CHECKPOINT_FILE must be a file that you may append to, on a disk with room: nothing is signed until it is',
    });
  }
}
