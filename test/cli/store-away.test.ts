import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { CliHome } from './run-docket.ts';

const SCAN = CliHome.corpus('12-weighbridge-ticket-phone.jpg');
const OTHER = CliHome.corpus('17-cut-short.jpg');

const home = await CliHome.make();
after(() => home.remove());
const objects = join(home.folder, 'data/objects');

test('a share that is not mounted is an outage: nothing is stored in its place, no document is stopped, and all goes on with it', async () => {
  await home.start(['up']);
  assert.ok(existsSync(join(objects, '.docket-store')));
  await home.json(['admission', 'close', '--reason', 'a test']);
  const { documents } = await home.json<{ documents: { job_id: string }[] }>(['submit', SCAN]);
  const [document] = documents;
  await rename(objects, `${objects}-unmounted`);
  await mkdir(objects);
  await home.json(['admission', 'open', '--reason', 'a test']);

  interface Status {
    outages: { dependency: string; code: string }[];
    quarantined: unknown[];
  }
  const status = await eventually('the store is an outage', async () => {
    const seen = await home.json<Status>(['status']);
    return seen.outages.length > 0 && seen;
  });
  assert.deepEqual(
    status.outages.map(({ dependency, code }) => [dependency, code]),
    [['store', 'STORE_UNAVAILABLE']],
  );
  assert.deepEqual(status.quarantined, []);
  const { error } = await home.json<{ error: { code: string } }>(['submit', OTHER], 6);
  assert.equal(error.code, 'STORE_UNAVAILABLE');
  assert.deepEqual(readdirSync(objects), []);
  const doctor = await home.json<{ store: { finding: { consequence: string } } }>(['doctor']);
  assert.match(doctor.store.finding.consequence, /counts as not mounted/);

  await rmdir(objects);
  await rename(`${objects}-unmounted`, objects);
  await eventually(
    'the document is published',
    async () => (await home.json<{ state: string }>(['status', document!.job_id])).state === 'published',
    { withinMs: 60_000 },
  );
  assert.equal((await home.json<{ store: { finding: unknown } }>(['doctor'])).store.finding, null);
});
