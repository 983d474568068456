import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { askSuperuser } from '../../src/db/cluster/superuser.ts';
import { temporaryDataDir } from './cluster-folder.ts';
import { startClusterProgram, type ClusterProgram } from './start-cluster-program.ts';

const ROUNDS = 60;

test(`${String(ROUNDS)} kills of the program, its server or both never keep the next program from starting, and lose no row`, async () => {
  const dataDir = temporaryDataDir();
  let program: ClusterProgram = await startClusterProgram(dataDir);
  const address = { socketDir: program.opened.socketDir, port: 5432 };
  await askSuperuser(address, 'create table kept (round int primary key)');
  for (let round = 1; round <= ROUNDS; round += 1) {
    await askSuperuser(address, 'insert into kept values ($1)', [round]);
    // What runs when the kill comes: nothing, or a query that does not look up.
    const busy =
      randomInt(2) === 0 ? undefined : askSuperuser(address, `select count(*) from generate_series(1, 3e6)`);
    const settled = busy?.catch(() => undefined);
    const server = readPostmasterFile(dataDir)?.pid ?? 0;
    const kind = randomInt(3);
    if (kind !== 0) process.kill(server, 'SIGKILL');
    if (kind !== 1) await program.kill();
    const next = await startClusterProgram(dataDir);
    if (kind === 1) await program.kill();
    program = next;
    const kept = await askSuperuser<{ rounds: number }>(address, 'select count(*)::int as rounds from kept');
    assert.equal(kept[0]?.rounds, round);
    await settled;
  }
  assert.equal(await program.end(), 'stopped');
});
