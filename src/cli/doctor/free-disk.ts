import { lstat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { notedDataDir } from '../../db/cluster/folder.ts';
import type { Finding } from './finding.ts';

/** A folder that fills as Docket works. */
export interface Filling {
  readonly folder: string;
  readonly meaning: string;
  readonly ifFull: string;
  /** What it must be able to take at any time, in bytes. */
  readonly needed: number;
  /** What should not reach a disk in the clear. */
  readonly isForPlainScans: boolean;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Of a disk that only grows: below this share and this size together it is time to do something. */
const LITTLE = { share: 0.1, bytes: 20 * GIB };
const FEW_FILES = 0.02;
const TMPFS = 0x01021994;

/** The folders on this host: of the store and the database only where they are on it. */
export function fillingFolders(
  config: Pick<
    Config,
    | 'tempDir'
    | 'store'
    | 'dataDir'
    | 'databaseUrl'
    | 'checkpointFile'
    | 'objectMaxBytes'
    | 'ioSlots'
    | 'ocrSlots'
    | 'ocrReservedSlots'
  >,
): Filling[] {
  const most = config.ioSlots + config.ocrSlots + config.ocrReservedSlots;
  return [
    {
      folder: config.tempDir,
      meaning: 'temporary files (DOCKET_TEMP_DIR)',
      ifFull: 'scans cannot be opened: TEMP_STORAGE_FAILED, and documents wait',
      // A scan that is as large as may be for every fourth slot: that all have one at once is no case to buy memory for.
      needed: Math.ceil(most / 4) * Math.min(config.objectMaxBytes, 256 * MIB),
      isForPlainScans: true,
    },
    ...(config.store.startsWith('file:')
      ? [
          {
            folder: config.store.slice('file:'.length),
            meaning: 'the store',
            ifFull: 'no scan can be put, and deliveries stop',
            needed: GIB,
            isForPlainScans: false,
          },
        ]
      : []),
    ...(config.databaseUrl === undefined
      ? [
          {
            folder: notedDataDir(join(config.dataDir, 'postgres')),
            meaning: 'the embedded database',
            ifFull: 'Postgres stops, and with it everything',
            needed: GIB,
            isForPlainScans: false,
          },
        ]
      : []),
    {
      folder: dirname(config.checkpointFile),
      meaning: 'the file of checkpoints',
      ifFull: 'nothing is signed any more',
      needed: 64 * MIB,
      isForPlainScans: false,
    },
  ];
}

/** Whether what is written there finds room, as this host sees it. */
export async function diskFindings({
  folder,
  meaning,
  ifFull,
  needed,
  isForPlainScans,
}: Filling): Promise<Finding[]> {
  const { bavail, blocks, bsize, files, ffree, type } = await statfs(await nearest(folder));
  const [free, size] = [bavail * bsize, blocks * bsize];
  const findings: Finding[] = [];
  const room = `${folder}, ${meaning}, has ${shown(free)} of ${shown(size)} free`;
  const isMemory = type === TMPFS;
  const more = isMemory
    ? 'give that file system in memory a larger size (mount -o remount,size=…), or choose another DOCKET_TEMP_DIR'
    : 'make room, or extend the volume';
  if (free < needed) {
    findings.push({
      severity: 'problem',
      what: `${room}, and ${shown(needed)} are needed`,
      consequence: ifFull,
      remedy: more,
    });
  } else if (!isForPlainScans && free < size * LITTLE.share && free < LITTLE.bytes) {
    findings.push({
      severity: 'warning',
      what: room,
      consequence: `when it is full, ${ifFull}`,
      remedy: more,
    });
  }
  if (files > 0 && ffree < files * FEW_FILES) {
    findings.push({
      severity: 'problem',
      what: `${folder}, ${meaning}, has room for ${ffree} of ${files} files`,
      consequence: ifFull,
      remedy: 'remove files, or make the file system anew with more inodes',
    });
  }
  if (isForPlainScans && !isMemory) {
    findings.push({
      severity: 'warning',
      what: `${folder}, ${meaning}, is on a disk`,
      consequence:
        'scans lie there in the clear while they are read, and what was removed may be found on it',
      remedy: 'a folder in memory with room: DOCKET_TEMP_DIR=/dev/shm/docket',
    });
  }
  return findings;
}

/** The folder, or the one that it will be made in. */
async function nearest(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await lstat(at);
      return at;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === dirname(at)) throw error;
    }
  }
}

function shown(bytes: number): string {
  return bytes < GIB ? `${Math.floor(bytes / MIB)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}
