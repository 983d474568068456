import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createIssuer } from '../server/bearer-tokens.ts';
import { createTestDatabase } from '../support/database.ts';
import { CliHome } from './run-docket.ts';

const database = await createTestDatabase();
let home: CliHome;
before(async () => {
  home = await CliHome.make({ DOCKET_DATABASE_URL: database.url() });
});
after(() => home.remove());

test('serve says which settings it lacks on a database that is not the embedded one', async () => {
  const { error } = await home.json<{ error: { code: string; message: string; hint: string } }>(['serve'], 3);
  assert.equal(error.code, 'CONFIG_INVALID');
  assert.match(error.message, /DOCKET_GATEWAY_URL and DOCKET_TOKEN_KEYS not set/);
  assert.match(error.hint, /docket_gateway/);
  const gateway = { DOCKET_GATEWAY_URL: database.url('docket_gateway') };
  const second = await home.json<{ error: { message: string } }>(['serve'], 3, gateway);
  assert.match(second.error.message, /: DOCKET_TOKEN_KEYS not set/);
});

test('up works there without GraphQL, and says why it is not served', async () => {
  const running = await home.start(['up']);
  assert.equal(running.first['state'], 'ready');
  assert.equal(running.first['graphql'], null);
  assert.match(String(running.first['graphql_not_served']), /DOCKET_GATEWAY_URL/);
  assert.equal(await running.stop(), 0);
});

test('serve takes objects only where it is told the store and the keys of the workers', async () => {
  const { publicJwk } = await createIssuer();
  const keys = join(home.folder, 'token-keys.json');
  await writeFile(keys, JSON.stringify(publicJwk));
  const settings = { DOCKET_GATEWAY_URL: database.url('docket_gateway'), DOCKET_TOKEN_KEYS: keys };
  const without = await home.start(['serve'], settings);
  assert.equal(without.first['objects'], null);
  assert.match(
    String(without.first['objects_not_taken']),
    /DOCKET_STORE and DOCKET_KEY_FILE or DOCKET_KMS_KEY not set/,
  );
  assert.equal(await without.stop(), 0);

  const store = {
    DOCKET_STORE: `file:${home.folder}/objects`,
    DOCKET_KEY_FILE: join(home.folder, 'keys.json'),
  };
  const keyless = await home.start(['serve'], { ...settings, ...store });
  assert.match(
    String(keyless.first['objects_not_taken']),
    /there is no .*keys\.json, the key file of the workers/,
  );
  assert.equal(await keyless.stop(), 0);

  await openKeyring({ keyFile: store.DOCKET_KEY_FILE, kmsKey: undefined, recoveryKey: undefined });
  const taking = await home.start(['serve'], { ...settings, ...store });
  assert.match(String(taking.first['objects']), /^http:.*\/objects$/);
  assert.equal(await taking.stop(), 0);
});
