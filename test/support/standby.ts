import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';

/** Copies the data folder of a running server to one that follows what is in its log, as a base backup does. */
export async function copyAsStandby(primary: pg.Pool, from: string, to: string): Promise<void> {
  const client = await primary.connect();
  const run = promisify(execFile);
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await run('cp', ['-a', from, to]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await client.query('select pg_switch_wal()');
    await run('cp', ['-a', join(from, 'pg_wal'), to]);
    await run('rm', ['-f', join(to, 'postmaster.pid'), join(to, 'postmaster.opts')]);
    // As the owner of the folder, whoever that is.
    await run('sh', ['-c', 'printf %s "$1" > "$2/backup_label"', 'sh', rows[0]!.labelfile, to]);
    await run('sh', ['-c', 'touch "$1/standby.signal"', 'sh', to]);
    await run('chown', ['--reference', to, join(to, 'backup_label'), join(to, 'standby.signal')]);
  } finally {
    client.release();
  }
}
