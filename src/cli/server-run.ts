import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import { OBJECTS_PATH } from '../server/objects/objects-path.ts';
import type { Vault } from '../server/objects/objects.ts';
import type { RunningServer } from '../server/start-server.ts';
import { createStore } from '../store/create-store.ts';
import { requireRecoveryKey, withKeyring } from './sealing-keys.ts';

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

/** Where something is served, or why it is not. */
export type Offer =
  { readonly url: string; readonly why: null } | { readonly url: null; readonly why: string };

/**
 * Why no objects can be taken: what senders put must lie where the workers look for it, sealed by a key that they hold. Beside
 * a data folder of their own both are known; elsewhere they are named. Undefined where it can.
 */
function whyNoObjects(config: Config, ownFolder: boolean): string | undefined {
  if (ownFolder) return undefined;
  const missing = [
    ...(config.isStoreNamed ? [] : ['DOCKET_STORE']),
    ...(config.isKeyNamed ? [] : ['DOCKET_KEY_FILE or DOCKET_KMS_KEY']),
  ];
  if (missing.length > 0) return `objects are not taken: ${missing.join(' and ')} not set as for the workers`;
  if (config.kmsKey === undefined && !existsSync(config.keyFile)) {
    return `objects are not taken: there is no ${config.keyFile}, the key file of the workers`;
  }
  return undefined;
}

/**
 * Serves GraphQL while `use` does, then stops. Tokens are those signed by the configured keys or, on an embedded database
 * where none are configured, by the local key of the data folder. Objects are taken where store and keys are known:
 * `ownFolder` says that the workers of this database use the same data folder.
 */
export async function withServer(
  config: Config,
  options: { log: Log; embedded: boolean; ownFolder: boolean; tell: (line: string) => void },
  use: (server: RunningServer, objects: Offer) => Promise<void>,
): Promise<void> {
  const { log, embedded, ownFolder, tell } = options;
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
  const serve = async (vault: Vault | undefined, why: string | null) => {
    const server = await startServer({ config, log, tokenKeys, vault });
    try {
      await use(server, why === null ? { url: `${server.url}${OBJECTS_PATH}`, why } : { url: null, why });
    } finally {
      await server.stop();
    }
  };
  const why = whyNoObjects(config, ownFolder);
  if (why !== undefined) {
    log.warn(why);
    return serve(undefined, why);
  }
  return withKeyring(config, tell, (keyring) => serve({ store: createStore(config), keyring }, null));
}
