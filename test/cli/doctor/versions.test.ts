import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseVersions, nodeFindings, versionFindings } from '../../../src/cli/doctor/versions.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import { createTestDatabase } from '../../support/database.ts';
import { testCluster } from '../../support/test-cluster.ts';

const db = await createTestDatabase();
const owner = db.pool();
const reader = typedQueries(owner);
const found = async () => versionFindings(await databaseVersions(reader));
const told = async () => (await found()).map(({ severity, what, remedy }) => ({ severity, what, remedy }));

test('a database that this package migrated has no finding, and says which server it is', async () => {
  const versions = await databaseVersions(reader);
  assert.equal(versions.serverMajor, testCluster().major);
  assert.match(versions.server, new RegExp(`^${testCluster().major}\\.`));
  assert.deepEqual(versionFindings(versions), []);
});

test('a database of a newer or an older Docket is a problem, with the one remedy that helps', async () => {
  await owner.query(`insert into docket.migrations (name, sha256) values ('999999_of_tomorrow.sql', 'x')`);
  assert.deepEqual(await told(), [
    {
      severity: 'problem',
      what: 'the database is of a newer Docket: this package does not know 999999_of_tomorrow.sql',
      remedy: 'run the version of Docket that migrated it, here and on every host',
    },
  ]);
  await owner.query(`delete from docket.migrations where name = '999999_of_tomorrow.sql'`);

  const { rows } = await owner.query<{ name: string; sha256: string }>(
    `delete from docket.migrations where name = (select max(name) from docket.migrations) returning name, sha256`,
  );
  const [last] = rows;
  assert.deepEqual(await told(), [
    {
      severity: 'problem',
      what: `the database is of an older Docket: it lacks ${last!.name}`,
      remedy: 'docket migrate',
    },
  ]);

  await owner.query('insert into docket.migrations (name, sha256) values ($1, $2)', [last!.name, 'edited']);
  assert.match((await found())[0]!.what, /were applied with another text than they have here: /);
  await owner.query('update docket.migrations set sha256 = $1 where name = $2', [last!.sha256, last!.name]);
  assert.deepEqual(await found(), []);
});

test('functions of another build are a problem though every migration is there', async () => {
  await owner.query(`insert into docket.replays (sha256) values ('of another build')`);
  assert.deepEqual(
    (await found()).map(({ what }) => what),
    ['the functions and views in the database are those of another build of Docket'],
  );
});

test('a server outside of what was tested, and a Node that is too old, are told', async () => {
  const versions = { ...(await databaseVersions(reader)), isOfThisPackage: true };
  const severities = (serverMajor: number) =>
    versionFindings({ ...versions, server: `${serverMajor}.1`, serverMajor }).map((one) => one.severity);
  assert.deepEqual([15, 16, 18, 19].map(severities), [['problem'], [], [], ['warning']]);
  assert.deepEqual(nodeFindings(), []);
  assert.deepEqual(
    ['20.19.0', '22.17.1', '22.18.0', '24.0.0'].map((node) => nodeFindings(node, '>=22.18').length),
    [1, 1, 0, 0],
  );
});
