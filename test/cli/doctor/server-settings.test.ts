import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverSettings, settingFindings } from '../../../src/cli/doctor/server-settings.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import { createTestDatabase } from '../../support/database.ts';

const db = await createTestDatabase();

test('a server that does not write what it confirms is a problem, as those of tests are', async () => {
  const settings = await serverSettings(typedQueries(db.pool()));
  assert.deepEqual(
    [settings.fsync, settings.full_page_writes, settings.synchronous_commit],
    ['off', 'off', 'off'],
  );
  assert.ok(settings.shared_buffers_mb > 0);
  const problems = settingFindings(settings).filter((one) => one.severity === 'problem');
  assert.deepEqual(
    problems.map(({ what, remedy }) => [what, remedy]),
    ['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => [
      `${name} is off`,
      `alter system set ${name} = on; select pg_reload_conf()`,
    ]),
  );
});

test('a server that does has no finding, but for what is missing of checksums, huge pages and notifications', () => {
  const good = {
    fsync: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    synchronous_commit: 'local',
    huge_pages_status: 'off',
    shared_buffers_mb: 128,
    notifications: 0.01,
  };
  const severities = (changes: Partial<typeof good>) =>
    settingFindings({ ...good, ...changes }).map((one) => one.severity);
  assert.deepEqual(severities({}), []);
  assert.deepEqual(severities({ data_checksums: 'off' }), ['note']);
  assert.deepEqual(severities({ shared_buffers_mb: 16_384 }), ['note']);
  assert.deepEqual(severities({ shared_buffers_mb: 16_384, huge_pages_status: 'on' }), []);
  assert.deepEqual(severities({ notifications: 0.8 }), ['problem']);
});
