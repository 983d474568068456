import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { openSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { processExists } from '../../src/db/cluster/postmaster.ts';
import { cephConfiguration } from './ceph-configuration.ts';
import { eventually } from './eventually.ts';
import type { ObjectServer } from './object-server.ts';

const PREFIX = 'docket-s3-';
const run = promisify(execFile);

/** Debian's packages radosgw, ceph-mon, ceph-osd and ceph-common bring these. */
const PROGRAMS = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];

/**
 * Starts Ceph's radosgw, an S3 server that checks signatures, conditions, versions and locks, over one storage daemon
 * that keeps its objects in memory. Returns undefined where it is not installed. Takes about three seconds.
 * The daemons die with this process, however it ends; `stop` also removes what they wrote.
 */
export async function startObjectServer(): Promise<(ObjectServer & { stop(): Promise<void> }) | undefined> {
  if (PROGRAMS.some((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error)) return undefined;
  removeLeftovers();
  const home = join(tmpdir(), `${PREFIX}${String(process.pid)}-${randomBytes(4).toString('hex')}`);
  for (const folder of ['run', 'log', 'mon', 'osd', 'rgw']) {
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  }
  const daemons: ReturnType<typeof daemon>[] = [];
  const stop = async () => {
    await Promise.all(daemons.reverse().map((one) => one.stop()));
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const [monPort, monPortV1, httpPort] = await freePorts(3);
    const fsid = randomUUID();
    const configuration = join(home, 'ceph.conf');
    writeFileSync(configuration, cephConfiguration({ home, fsid, monPort, monPortV1, httpPort }));
    const ceph = (program: string, ...args: string[]) =>
      run(program, ['-c', configuration, ...args], { timeout: 60_000 });
    const start = (program: string, ...args: string[]) =>
      daemons.push(daemon(home, program, ['-c', configuration, ...args, '-f']));

    await makeKeyring(join(home, 'keyring'));
    const monitors = `[v2:127.0.0.1:${String(monPort)},v1:127.0.0.1:${String(monPortV1)}]`;
    const map = join(home, 'monmap');
    await run('monmaptool', ['--create', '--addv', 'a', monitors, '--fsid', fsid, map]);
    await ceph('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map, '--keyring', join(home, 'keyring'));
    start('ceph-mon', '-i', 'a');
    await ceph('ceph', 'osd', 'create');
    await ceph('ceph', 'auth', 'import', '-i', join(home, 'keyring'));
    await ceph('ceph-osd', '-i', '0', '--mkfs');
    start('ceph-osd', '-i', '0');
    start('radosgw', '-n', 'client.admin');

    const endpoint = `http://127.0.0.1:${String(httpPort)}`;
    await eventually(
      `the S3 server answers (its logs: ${home}/log)`,
      async () => {
        for (const one of daemons) one.refuseIfEnded();
        return fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => ok,
          () => false,
        );
      },
      { withinMs: 90_000, everyMs: 50 },
    );
    const user = { accessKeyId: 'docket-tests', secretAccessKey: randomBytes(20).toString('hex') };
    await ceph(
      'radosgw-admin',
      ...['user', 'create', '--uid', 'tests', '--display-name', 'tests'],
      ...['--access-key', user.accessKeyId, '--secret-key', user.secretAccessKey],
    );
    return { endpoint, ...user, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a daemon that the kernel kills when this process ends, even by SIGKILL. */
function daemon(home: string, program: string, args: string[]) {
  const output = openSync(join(home, 'log', `${program}.out`), 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', program, ...args], {
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit');
  ended.catch(() => undefined);
  return {
    refuseIfEnded() {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${String(child.exitCode)}`);
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function makeKeyring(path: string): Promise<void> {
  const everything = (...services: string[]) => services.flatMap((one) => ['--cap', one, 'allow *']);
  const key = (name: string, ...caps: string[]) =>
    run('ceph-authtool', [path, '--gen-key', '-n', name, ...everything(...caps)]);
  await run('ceph-authtool', ['--create-keyring', path]);
  await key('mon.', 'mon');
  await key('client.admin', 'mon', 'osd', 'mgr');
  await key('osd.0', 'mon', 'osd');
}

/** Ports that nobody uses now. Others could take them meanwhile; then the daemon ends, and the run says so. */
async function freePorts(count: 3): Promise<[number, number, number]>;
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** The folders of runs that were killed; their daemons died with them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const runner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (runner === undefined || processExists(Number(runner))) continue;
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
