import { z } from 'zod';
import { connectionUrl } from '../../db/pools.ts';
import { migrate } from '../../db/migrate.ts';
import { beginStore } from '../begin-store.ts';
import { withDatabase } from '../database-access.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'migrate',
  summary: 'Bring the database to this version; make an embedded one if there is none.',
  input: z.strictObject({}),
  async run(_input, { config, log }) {
    const report = await withDatabase(config, { log, create: true }, async (database) => {
      const migrated = await migrate({ connectionString: connectionUrl(database.config, 'owner'), log });
      // Elsewhere the folder that is not named is nobody's.
      if (database.cluster !== undefined || config.isStoreNamed) await beginStore(database);
      return migrated;
    });
    const applied = report.applied.map((name) => `applied ${name}`);
    const gaps = report.limitations.map(
      ({ step, consequence }) => `not in force: ${step}\n  so ${consequence}`,
    );
    return {
      json: report,
      text: [...(applied.length > 0 ? applied : ['Up to date.']), ...gaps].join('\n'),
    };
  },
});
