import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { endOrphans } from '../../src/db/cluster/orphans.ts';
import { postmasterState, readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { eventually } from '../support/eventually.ts';

/**
 * A data folder for one cluster of a test, not yet made. After the tests its server, if one still runs, is ended and
 * everything around it removed.
 */
export function temporaryDataDir(name = 'data'): string {
  const home = mkdtempSync(join(tmpdir(), 'docket-cluster-'));
  // As root the server runs as another user, who has to get to its data folder.
  chmodSync(home, 0o711);
  const dataDir = join(home, name);
  after(async () => {
    await endServer(dataDir);
    rmSync(home, { recursive: true, force: true });
  });
  return dataDir;
}

async function endServer(dataDir: string): Promise<void> {
  const server = readPostmasterFile(dataDir)?.pid;
  if (server === undefined || postmasterState(server, dataDir) !== 'serving') return;
  process.kill(server, 'SIGQUIT');
  await eventually('the server has ended', () => postmasterState(server, dataDir) !== 'serving');
  endOrphans(dataDir);
}
