import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hardeningFindings, ownerFindings, possibleOwners } from '../../../src/cli/doctor/privileges.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import { hardeningGaps } from '../../../src/db/commands.ts';
import { createTestDatabase } from '../../support/database.ts';

const db = await createTestDatabase();
const owner = db.pool();
const login = `Eve ${randomBytes(4).toString('hex')}`;
db.beforeDrop(() => owner.query(`drop role if exists "${login}"`));

test('a login that can become the owner is a warning, but for superusers and the one that installs', async () => {
  await owner.query(`create role "${login}" login in role docket_owner`);
  // Other tests of the same server have logins of their own.
  const all = await possibleOwners(typedQueries(owner));
  const owners = all.filter((one) => one.login === login || one.login === 'postgres');
  assert.deepEqual(
    ownerFindings(owners, 'postgres').map(({ severity, what, remedy }) => [severity, what, remedy]),
    [
      [
        'warning',
        `${login} can become docket_owner, and is neither a superuser nor the login that installs`,
        `revoke docket_owner from "${login}"`,
      ],
      [
        'note',
        'can change history: postgres, a superuser',
        'keep checkpoints of the log where they cannot write: docs/checkpoints.md',
      ],
    ],
  );
  assert.deepEqual(
    ownerFindings(owners, login).map(({ severity }) => severity),
    ['note'],
  );
  await owner.query(`revoke docket_owner from "${login}"`);
  assert.ok(!(await possibleOwners(typedQueries(owner))).some((one) => one.login === login));
});

test('hardening that somebody took back is a warning with the statement that restores it', async () => {
  const before = hardeningFindings(await hardeningGaps(owner));
  await owner.query('grant create on schema public to public');
  const after = hardeningFindings(await hardeningGaps(owner));
  const added = after.filter((one) => !before.some((other) => other.what === one.what));
  assert.deepEqual(
    added.map(({ severity, what, remedy }) => [severity, what, remedy]),
    [
      [
        'warning',
        'not in force: nobody may create in schema public',
        'as a superuser: revoke create on schema public from public',
      ],
    ],
  );
  assert.match(added[0]!.consequence, /can create objects in schema public/);
});
