import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { endOrphans } from '../../src/db/cluster/orphans.ts';
import { processExists, readPostmasterFile } from '../../src/db/cluster/postmaster.ts';

/**
 * A data folder for one cluster of a test, not yet made. After the tests its server, if one still runs, is ended and
 * everything around it removed.
 */
export function temporaryDataDir(name = 'data'): string {
  const home = mkdtempSync(join(tmpdir(), 'docket-cluster-'));
  // As root the server runs as another user, who has to get to its data folder.
  chmodSync(home, 0o711);
  const dataDir = join(home, name);
  after(() => {
    const file = readPostmasterFile(dataDir);
    if (file && processExists(file.pid)) process.kill(file.pid, 'SIGQUIT');
    endOrphans(dataDir);
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return dataDir;
}
