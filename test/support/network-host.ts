import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { testCluster } from './test-cluster.ts';

/** A host of its own as far as the network goes: a namespace whose only link leads to the Postgres server of the tests. */
export interface NetworkHost {
  /** What to start a process with, so that it runs there. */
  readonly within: readonly string[];
  /** Where a database of the server is found from there. */
  url(role: string, database: string): string;
  /** Cuts the link, so that packets are lost and nobody is told, or mends it. */
  cut(): void;
  mend(): void;
  /** Removes it; what runs there must have ended. */
  remove(): Promise<void>;
}

/** Why this machine cannot have such hosts, if it cannot. */
export function whyNoNetworkHosts(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces are made by root alone';
  const probe = `docket-probe-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', probe]).status !== 0) return 'ip netns does not work here';
  spawnSync('ip', ['netns', 'del', probe]);
  return undefined;
}

let made = 0;

export async function makeNetworkHost(): Promise<NetworkHost> {
  made += 1;
  const name = `dkt${process.pid}n${made}`;
  // Of the range for measurements (RFC 2544), which nobody routes; four addresses a host.
  const net = `198.18.${process.pid % 256}`;
  const [here, there] = [`${net}.${made * 4 + 1}`, `${net}.${made * 4 + 2}`];
  const link = `dkt${process.pid % 10_000}v${made}`;
  ip('netns', 'add', name);
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'up0', 'netns', name);
  ip('addr', 'add', `${here}/30`, 'dev', link);
  ip('link', 'set', link, 'up');
  ip('-n', name, 'addr', 'add', `${there}/30`, 'dev', 'up0');
  ip('-n', name, 'link', 'set', 'up0', 'up');

  const { socketDir, port } = testCluster();
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(join(socketDir, `.s.PGSQL.${port}`));
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => [client, server].forEach((one) => one.destroy()));
    }
    client.pipe(server).pipe(client);
  });
  relay.listen(0, here);
  await once(relay, 'listening');
  const at = `${here}:${(relay.address() as AddressInfo).port}`;
  return {
    within: ['ip', 'netns', 'exec', name],
    url: (role, database) => `postgres://${role}@${at}/${database}`,
    cut: () => ip('-n', name, 'link', 'set', 'up0', 'down'),
    mend: () => ip('-n', name, 'link', 'set', 'up0', 'up'),
    async remove() {
      sockets.forEach((socket) => socket.destroy());
      await once(relay.close(), 'close');
      ip('link', 'del', link);
      ip('netns', 'del', name);
    },
  };
}

function ip(...parts: string[]): void {
  const { status, stderr } = spawnSync('ip', parts, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${parts.join(' ')}: ${stderr}`);
}
