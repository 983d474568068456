import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../src/config.ts';
import type { Volume } from '../src/temp-dir.ts';
import { defaultTempDir, volumeOf } from '../src/temp-dir.ts';

const GIB = 1024 ** 3;
const memory = (freeBytes: number): Volume => ({ isInMemory: true, freeBytes });
const disk = (freeBytes: number): Volume => ({ isInMemory: false, freeBytes });

function chosen(volumes: Record<string, Volume>): string {
  return dirname(defaultTempDir('/tmp', (folder) => volumes[folder]));
}

test('scans are read from memory where there is a folder in memory with room, else from the folder for temporary files', () => {
  assert.equal(chosen({ '/tmp': memory(GIB), '/dev/shm': memory(2 * GIB) }), '/tmp');
  assert.equal(chosen({ '/tmp': disk(99 * GIB), '/dev/shm': memory(2 * GIB) }), '/dev/shm');
  assert.equal(chosen({ '/dev/shm': memory(2 * GIB) }), '/dev/shm');
  // A container has 64 MiB of it unless told otherwise.
  assert.equal(chosen({ '/tmp': disk(99 * GIB), '/dev/shm': memory(64 * 1024 ** 2) }), '/tmp');
  assert.equal(chosen({ '/tmp': disk(99 * GIB), '/dev/shm': disk(99 * GIB) }), '/tmp');
  assert.equal(chosen({ '/tmp': disk(99 * GIB) }), '/tmp');
});

test('each user has a folder of its own, and the path of a socket in it is short enough for every system', () => {
  const socket = `${defaultTempDir('/tmp', () => undefined)}/00000000-0000-0000-0000-000000000000.alive`;
  assert.equal(socket, `/tmp/docket-${String(process.getuid!())}/00000000-0000-0000-0000-000000000000.alive`);
  assert.ok(socket.length <= 103);
});

test(
  'a file system in memory is told from a disk as df tells them',
  { skip: process.platform !== 'linux' },
  () => {
    for (const folder of ['/', tmpdir(), '/dev/shm', '/proc', '/sys']) {
      const found = volumeOf(folder);
      if (found === undefined) continue;
      const type = execFileSync('df', ['--output=fstype', folder], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .at(-1);
      assert.equal(found.isInMemory, type === 'tmpfs', `${folder}: ${String(type)}`);
    }
    assert.equal(volumeOf('/no/such/folder'), undefined);
  },
);

test('the setting is what counts where it is given', () => {
  assert.equal(loadConfig({ DOCKET_TEMP_DIR: '/var/tmp/docket' }).tempDir, '/var/tmp/docket');
  assert.equal(loadConfig({}).tempDir, defaultTempDir());
});
