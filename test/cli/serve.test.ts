import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
