import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provenInclusion } from '../../src/cli/certificate/proven-inclusion.ts';
import { typedQueries } from '../../src/cli/typed-queries.ts';
import { DocketError } from '../../src/errors.ts';
import { BundleStage } from '../bundle/bundle-stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';

const database = await createTestDatabase();
const stage = await BundleStage.open(database);

test('an event that came after the history was read is no broken record; a changed one is', async () => {
  const { job } = await stage.published();
  await stage.bundle([job]);
  const reader = typedQueries((await createLogin(database, 'docket_auditor')).pool);
  const { rows } = await stage.stage.db.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from docket_audit.events where job_id = $1 order by seq`,
    [job],
  );
  const hashes = rows.map(({ hash }) => hash);
  const all = await provenInclusion(reader, job, hashes);
  assert.equal(all?.includedEvents, hashes.length);
  const earlier = await provenInclusion(reader, job, hashes.slice(0, -1));
  assert.equal(earlier?.includedEvents, hashes.length - 1);
  await assert.rejects(
    provenInclusion(reader, job, hashes.with(1, '00'.repeat(32))),
    (error) => error instanceof DocketError && error.code === 'RECORD_BROKEN',
  );
});
