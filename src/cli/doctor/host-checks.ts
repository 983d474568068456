import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { findConfinement } from '../../sandbox/confinement.ts';
import { storePresence, type StorePresence } from '../store-presence.ts';
import { askBucket, bucketFindings } from './bucket-lock.ts';
import { engineFindings } from './engine.ts';
import type { Examination } from './examination.ts';
import { diskFindings, fillingFolders } from './free-disk.ts';
import { keyBackupFindings } from './key-backup.ts';
import { memoryFindings } from './memory.ts';
import { sandboxFindings } from './sandbox.ts';
import { secretFileFindings, secretFiles } from './secret-files.ts';
import { storeFolderFindings } from './store-folder.ts';
import { nodeFindings } from './versions.ts';

/** Every check that needs no database: this host, and what the configuration names on it and beyond. */
export async function examineHost(
  { look, run }: Examination,
  config: Config,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<StorePresence | undefined> {
  const checks: Promise<unknown>[] = [
    run('versions', () => nodeFindings()),
    run('sandbox', () =>
      sandboxFindings(findConfinement(config.ocrMemoryMb), { isRoot: process.getuid?.() === 0 }),
    ),
    look(
      'engine',
      () => engineFindings(config, log),
      (findings) => findings,
      { isLong: true },
    ),
    run('memory', () => memoryFindings(config)),
    ...secretFiles(config).map((secret) => run('key files', () => secretFileFindings(secret))),
    run('copies of keys', () => keyBackupFindings(config)),
    ...fillingFolders(config).map((filling) => run('free disk', () => diskFindings(filling))),
  ];
  const buckets = [
    ...(config.store.startsWith('s3:') ? [[config.store, 'scans'] as const] : []),
    ...(config.checkpointBucket === undefined ? [] : [[config.checkpointBucket, 'checkpoints'] as const]),
  ];
  for (const [name, holds] of buckets) {
    checks.push(
      look(
        'locks of buckets',
        () => askBucket(name, config, signal),
        (protection) => bucketFindings(name, holds, protection, config.s3LockMode),
      ),
    );
  }
  const [store] = await Promise.all([
    look('store', () => storePresence(config), storeFolderFindings),
    ...checks,
  ]);
  return store;
}
