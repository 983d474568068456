import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { endOrphans } from '../../src/db/cluster/orphans.ts';
import { processExists, readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { askSuperuser } from '../../src/db/cluster/superuser.ts';
import { createLog } from '../../src/log.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryDataDir } from './cluster-folder.ts';

const skip = process.platform === 'linux' ? false : 'processes are looked up in /proc';

test(
  'backends that go on computing after their postmaster was killed are ended, and nothing else is',
  { skip },
  async () => {
    const log = createLog({ level: 'silent' });
    const cluster = await openCluster({ dataDir: temporaryDataDir(), log, settings: { fsync: 'off' } });
    const bystander = await openCluster({ dataDir: temporaryDataDir(), log, settings: { fsync: 'off' } });
    // Minutes of work that never looks up.
    const endless = askSuperuser(
      cluster,
      `select count(*) from generate_series(1, 60000) a, generate_series(1, 6000) b where md5((a * b)::text) > 'z'`,
    );
    const ended = assert.rejects(endless);
    const backend = await eventually('the backend is at work', async () => {
      const [active] = await askSuperuser<{ pid: number }>(
        cluster,
        `select pid from pg_stat_activity where query like '%md5%' and state = 'active' and pid <> pg_backend_pid()`,
      );
      return active?.pid;
    });
    assert.deepEqual(endOrphans(cluster.dataDir), []);

    process.kill(readPostmasterFile(cluster.dataDir)?.pid ?? 0, 'SIGKILL');
    await eventually('the postmaster is gone', () => !cluster.alive());
    assert.ok(processExists(backend));
    const begun = performance.now();
    await cluster.ensureRunning();
    assert.ok(performance.now() - begun < 10_000, 'the start did not wait for the query');
    // Its number is free when the process above it has taken note.
    await eventually('the backend is gone', () => !processExists(backend));
    await ended;
    assert.equal(bystander.alive(), true);
    await cluster.stop();
    await bystander.stop();
  },
);
