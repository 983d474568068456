import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createMemoryPressure } from '../../src/worker/memory-pressure.ts';

const MEBIBYTE = 1024 * 1024;
const root = await mkdtemp(join(tmpdir(), 'dkt-memory-'));
after(() => rm(root, { recursive: true, force: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

const meminfo = (availableMb: number) =>
  `MemTotal:       16384000 kB\nMemFree:          100000 kB\nMemAvailable:   ${availableMb * 1024} kB\n`;

test('memory is short when less than the reserve is available, and no longer when a quarter more is', async () => {
  const isShort = createMemoryPressure({ reserveMb: 400, root });
  const seen: boolean[] = [];
  for (const availableMb of [400, 399, 400, 499, 500, 450]) {
    await write({ 'proc/meminfo': meminfo(availableMb) });
    seen.push(await isShort());
  }
  assert.deepEqual(seen, [false, true, true, true, false, false]);
});

test('a limit of the control group, or of one above it, counts; file contents that can be given up do not', async () => {
  const group = 'sys/fs/cgroup/docket.slice/worker.scope';
  await write({
    'proc/meminfo': meminfo(10_000),
    'proc/self/cgroup': '0::/docket.slice/worker.scope\n',
    [`${group}/memory.max`]: `${1_000 * MEBIBYTE}\n`,
    [`${group}/memory.current`]: `${900 * MEBIBYTE}\n`,
    [`${group}/memory.stat`]: `anon 5\ninactive_file ${350 * MEBIBYTE}\nactive_file 7\n`,
    [`${dirname(group)}/memory.max`]: 'max\n',
  });
  assert.equal(await createMemoryPressure({ reserveMb: 450, root })(), false);
  assert.equal(await createMemoryPressure({ reserveMb: 451, root })(), true);
  await write({
    [`${dirname(group)}/memory.max`]: `${2_000 * MEBIBYTE}\n`,
    [`${dirname(group)}/memory.current`]: `${1_900 * MEBIBYTE}\n`,
  });
  assert.equal(await createMemoryPressure({ reserveMb: 100, root })(), false);
  assert.equal(await createMemoryPressure({ reserveMb: 101, root })(), true);
});

test('memory is never short where the system does not say, or without a reserve', async () => {
  assert.equal(await createMemoryPressure({ reserveMb: 1_000_000, root: join(root, 'nothing') })(), false);
  await write({ 'proc/meminfo': meminfo(0) });
  assert.equal(await createMemoryPressure({ reserveMb: 0, root })(), false);
});
