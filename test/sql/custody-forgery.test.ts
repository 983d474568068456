import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { attempt, forge, POWERFUL, type Forged } from './custody-forger.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { anna, berta } = custody;
const { rows } = await custody.db.query<{ actor: string }>('select docket.actor() as actor');
const self = rows[0]!.actor;

const kept = await custody.published();
const gone = await custody.published();
await custody.dispose(gone.job);
const unread = await custody.unread();
await custody.dispose(unread.job);
const held = await custody.published();
await commands.placeHold(anna.pool, { jobs: [held.job], matter: 'A', reason: 'court' });
const asked = await custody.published();
await custody.request(asked.job);
const tenYears = await custody.published({
  documentKind: 'weighbridge_ticket',
  pages: ['Weighbridge ticket 4711: gross 12 t, tare 4 t'],
});

for (const [who, become] of Object.entries(POWERFUL)) {
  test(`${who} cannot do both halves of a disposal with forged events`, async () => {
    const request = { job: kept.job, event: 'disposal_requested' };
    const approval = { job: kept.job, event: 'disposed' };
    const tried = (...events: Forged[]) => attempt(custody.db, become, (client) => forge(client, ...events));
    await tried(request);
    await refused('ZD034', tried(approval));
    await refused('ZD033', tried(request, approval));
    // in the names of others, or of oneself in another spelling
    await refused('ZD005', tried({ ...request, actor: anna.name }));
    await refused('ZD005', tried(request, { ...approval, actor: berta.name }));
    await refused('ZD005', tried(request, { ...approval, actor: `token:${self}` }));
    // by the sweep, which anybody may call
    await refused('ZD033', tried({ ...request, event: 'retention_ended' }, approval));
    await refused('ZD005', tried({ ...request, event: 'retention_ended', actor: 'docket_worker' }));
    // what was withdrawn, held or is kept longer
    await refused('ZD034', tried(request, { ...request, event: 'disposal_withdrawn' }, approval));
    await refused('ZD032', tried({ ...request, job: held.job }));
    await refused(
      'ZD032',
      tried(
        { job: asked.job, event: 'hold_placed', detail: '{"hold": 99}' },
        { job: asked.job, event: 'disposed' },
      ),
    );
    await refused('ZD031', tried({ ...request, job: tenYears.job }));
    // the second half of what somebody else asked for is one person's to do, and leaves both names
    await tried({ job: asked.job, event: 'disposed' });
  });

  test(`${who} cannot lift a hold of its own, or one that is not there, with forged events`, async () => {
    const tried = (...events: Forged[]) => attempt(custody.db, become, (client) => forge(client, ...events));
    const lifted = { job: kept.job, event: 'hold_lifted' };
    await refused(
      'ZD033',
      tried(
        { job: kept.job, event: 'hold_placed', detail: '{"hold": 7}' },
        { ...lifted, detail: '{"hold": 7}' },
      ),
    );
    for (const detail of ['{}', '{"hold": 12345}', '{"hold": null}'])
      await refused('ZD036', tried({ ...lifted, job: held.job, detail }));
    await refused('ZD005', tried({ ...lifted, job: held.job, actor: berta.name, detail: '{"hold": 1}' }));
  });

  test(`${who} brings nothing of a disposed document back with forged events`, async () => {
    for (const event of [
      'disposed',
      'disposal_requested',
      'hold_placed',
      'retention_extended',
      'metadata_amended',
      'text_read',
    ])
      await refused(
        'ZD030',
        attempt(custody.db, become, (client) => forge(client, { job: gone.job, event })),
      );
    await attempt(custody.db, become, (client) => forge(client, { job: gone.job, event: 'object_removed' }));
    // … of one that was quarantined, with evidence
    for (const event of ['released', 'redelivered'])
      await refused(
        'ZD030',
        attempt(custody.db, become, (client) => forge(client, { job: unread.job, event })),
      );
  });
}
