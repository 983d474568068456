import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DocketError } from '../../errors.ts';

/** Listens, and gives the address as a URL. @throws DocketError CONFIG_HTTP_ADDRESS where that cannot be. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    throw new DocketError('CONFIG_HTTP_ADDRESS', problem(cause, host, port), {
      cause,
      hint: 'set DOCKET_HTTP_PORT to another port (0 takes any free one), or DOCKET_HTTP_HOST to an address of this machine',
    });
  }
  const { port: taken } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
}

function problem(cause: unknown, host: string, port: number): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use`;
  if (code === 'EACCES') return `port ${port} of ${host} may not be used by this user`;
  return `${host} cannot be listened at: ${message}`;
}
