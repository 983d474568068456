import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { verifyToken } from '../../src/server/identity.ts';
import { openLocalKey } from '../../src/server/local-key.ts';
import { keysOf } from '../../src/server/token-keys.ts';
import { CliHome } from './run-docket.ts';

interface Answer {
  token: string;
  subject: string;
  role: string;
  sources: string[];
  expires_at: string;
}

let home: CliHome;
before(async () => {
  home = await CliHome.make();
});
after(() => home.remove());

const token = ['token', '--role', 'analyst', '--sources', 'carrier-a, carrier-b'];

/** The keys that a server over the same data folder believes. */
async function trusted() {
  const { publicJwk } = await openLocalKey(join(home.folder, 'data'));
  return keysOf([publicJwk]);
}

test('a token is all that is on standard output, holds for a server of the same folder, and needs no database', async () => {
  const ended = await home.docket([...token, '--subject', 'Ada', '--hours', '0.5']);
  assert.equal(ended.code, 0, ended.stderr);
  const identity = await verifyToken(ended.stdout.trimEnd(), await trusted(), { audience: 'docket' });
  const { expiresAt, ...said } = identity;
  assert.deepEqual(said, { subject: 'Ada', role: 'analyst', sources: ['carrier-a', 'carrier-b'] });
  const minutes = (expiresAt.getTime() - Date.now()) / 60_000;
  assert.ok(minutes > 28 && minutes <= 30, `${minutes} minutes`);
  assert.match(ended.stderr, /^"Ada" as analyst for carrier-a, carrier-b until \d{4}-.*token-key\.json\n$/);
  assert.equal(existsSync(join(home.folder, 'data/postgres')), false);
});

test('with --json it says what the token says, eight hours from now by default', async () => {
  const settings = { DOCKET_TOKEN_AUDIENCE: 'elsewhere', DOCKET_TOKEN_ISSUER: 'me' };
  const answer = await home.json<Answer>(
    ['token', '--role', 'auditor', '--sources', '*', '--subject', 'eve'],
    0,
    settings,
  );
  assert.deepEqual(
    { subject: answer.subject, role: answer.role, sources: answer.sources },
    { subject: 'eve', role: 'auditor', sources: ['*'] },
  );
  const hours = (Date.parse(answer.expires_at) - Date.now()) / 3_600_000;
  assert.ok(hours > 7.9 && hours <= 8, `${hours} hours`);
  const keys = await trusted();
  await verifyToken(answer.token, keys, { audience: 'elsewhere', issuer: 'me' });
  await assert.rejects(verifyToken(answer.token, keys, { audience: 'docket' }), { code: 'TOKEN_INVALID' });
});

test('without role or sources, and with roles or hours that there are not, it is refused', async () => {
  for (const [args, problem] of [
    [['token', '--sources', 'a'], /role: expected one of analyst/],
    [['token', '--role', 'owner', '--sources', 'a'], /role: expected one of analyst/],
    [['token', '--role', 'analyst'], /sources: required/],
    [['token', '--role', 'analyst', '--sources', 'a,,b'], /sources: expected NAME/],
    [[...token, '--hours', '0'], /hours: expected more than 0/],
    [[...token, '--hours', '1e9'], /hours: expected at most/],
    [[...token, '--subject', ''], /subject: expected 1 to 200/],
  ] as const) {
    const ended = await home.docket(args);
    assert.equal(ended.code, 2, args.join(' '));
    assert.match(ended.stderr, problem);
    assert.equal(ended.stdout, '');
  }
});

test('where the server believes other keys, no token is made that it would refuse', async () => {
  const { error } = await home.json<{ error: { code: string } }>(token, 3, {
    DOCKET_TOKEN_KEYS: '/etc/docket/keys.json',
  });
  assert.equal(error.code, 'CONFIG_TOKEN_KEYS');
});
