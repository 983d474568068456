import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { requireRecoveryKey } from './sealing-keys.ts';
import type { RunningServer } from '../server/start-server.ts';

/**
 * Why GraphQL cannot be served on a database that is not the embedded one: the configuration says too little. Undefined
 * where it can.
 */
export function whyNotServed(config: Config): DocketError | undefined {
  const missing = [
    ...(config.gatewayUrl === undefined ? ['DOCKET_GATEWAY_URL'] : []),
    ...(config.tokenKeys === undefined ? ['DOCKET_TOKEN_KEYS'] : []),
  ];
  if (missing.length === 0) return undefined;
  return new DocketError('CONFIG_INVALID', `GraphQL cannot be served: ${missing.join(' and ')} not set`, {
    hint:
      'set DOCKET_GATEWAY_URL to the login docket_gateway of the database, as claims are believed from no other, ' +
      'and DOCKET_TOKEN_KEYS to the public keys of whoever issues tokens',
  });
}

/**
 * Serves GraphQL while `use` does, then stops. Tokens are those signed by the configured keys or, on an embedded database
 * where none are configured, by the local key of the data folder.
 */
export async function withServer(
  config: Config,
  { log, embedded }: { log: Log; embedded: boolean },
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const reason = embedded ? undefined : whyNotServed(config);
  if (reason) throw reason;
  requireRecoveryKey(config);
  // Loaded when it is needed: it takes longer than most verbs do.
  const [{ startServer }, { keysOf, loadTokenKeys }, { openLocalKey }] = await Promise.all([
    import('../server/start-server.ts'),
    import('../server/token-keys.ts'),
    import('../server/local-key.ts'),
  ]);
  const tokenKeys = (await loadTokenKeys(config)) ?? keysOf([(await openLocalKey(config.dataDir)).publicJwk]);
  const server = await startServer({ config, log, tokenKeys });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}
