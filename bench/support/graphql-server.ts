// The GraphQL server in a process of its own, for bench/graphql.ts: started with the gateway's connection string and the data
// folder of the local key, says where it listens, and answers how much CPU it has used when it is asked.
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openLocalKey } from '../../src/server/local-key.ts';
import { startServer } from '../../src/server/start-server.ts';
import { keysOf } from '../../src/server/token-keys.ts';

const [gatewayUrl, dataDir] = process.argv.slice(2);
if (gatewayUrl === undefined || dataDir === undefined) throw new Error('usage: GATEWAY_URL DATA_DIR');

const { publicJwk } = await openLocalKey(dataDir);
const server = await startServer({
  config: { ...loadConfig({ DOCKET_HTTP_PORT: '0' }), gatewayUrl, requestsPerMinute: 1_000_000 },
  log: createLog({ level: 'warn' }),
  tokenKeys: keysOf([publicJwk]),
});
process.send!({ url: server.url });
process.on('message', (message) => {
  if (message === 'stop') void server.stop().then(() => process.disconnect());
  else {
    const { user, system } = process.cpuUsage();
    process.send!({ cpu: (user + system) / 1e6 });
  }
});
