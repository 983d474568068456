import type { CheckpointSigner } from '../checkpoints/signer.ts';
import { openCheckpointSigner } from '../checkpoints/signer.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';

/**
 * Opens the key by which checkpoints are signed, and tells of it if it was made just now. On a database elsewhere none is made but
 * where one is named: one place signs, and remembers what it signed. Without the key the worker signs none.
 */
export async function checkpointSigner(
  config: Config,
  { ownFolder, tell, log }: { ownFolder: boolean; tell: (line: string) => void; log: Log },
): Promise<CheckpointSigner | undefined> {
  const signer = await openCheckpointSigner(config, { mayMake: ownFolder || config.isLogKeyNamed });
  if (signer?.isNew === true) {
    tell(`Made the key by which checkpoints of the log are signed: ${config.logKeyFile}`);
    tell(
      `  Every checkpoint is appended to ${config.checkpointFile}; keep copies elsewhere: docs/checkpoints.md`,
    );
  }
  if (!signer) {
    log.warn(
      { file: config.logKeyFile },
      'this worker signs no checkpoints: there is no key file, and DOCKET_LOG_KEY names none',
    );
  }
  return signer;
}
