import type { Config } from '../config.ts';
import { openWatchedKey } from '../watched-key.ts';
import type { LogKey } from './log-key.ts';
import { makeLogKey, readLogKey } from './log-key.ts';

/** Signs checkpoints. A service that keeps keys can take the place of the file: it needs to do nothing else. */
export interface CheckpointSigner {
  /** Whether opening it made the key. */
  readonly isNew: boolean;
  /** The key that signs now. Throws CONFIG_LOG_KEY. */
  current(): Promise<LogKey>;
}

/**
 * Opens the key file of the configuration, and makes it where it may be made; it is looked at again whenever it changed. Undefined
 * where there is none and it may not be made: checkpoints are left to whoever has the key. Throws CONFIG_LOG_KEY.
 */
export function openCheckpointSigner(
  { logKeyFile: file }: Pick<Config, 'logKeyFile'>,
  { mayMake }: { mayMake: boolean },
): Promise<CheckpointSigner | undefined> {
  return openWatchedKey(file, { code: 'CONFIG_LOG_KEY', mayMake, read: readLogKey, make: makeLogKey });
}
