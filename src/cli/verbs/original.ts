import { z } from 'zod';
import { readOriginal } from '../../db/noted-readings.ts';
import { DocketError } from '../../errors.ts';
import { createScanReader } from '../../sealing/scan-reader.ts';
import { createStore } from '../../store/create-store.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { fetchOriginal, refuseExisting } from '../fetch-original.ts';
import { jobArgument } from '../job-argument.ts';
import { withKeyring } from '../sealing-keys.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'original <job>',
  summary:
    'Fetch the original scan of a document, unseal it, and write it to a file once its hash is seen to match.',
  options: [
    ['--out <file>', 'where to write it; nothing is overwritten'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z.strictObject({
    job: jobArgument,
    out: z.string('required').min(1),
    reason: z.string('required'),
    as: z.string().optional(),
  }),
  async run({ job, out, reason, as }, { config, log, tell, interrupted }) {
    await refuseExisting(out);
    return withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_auditor', 'docket_evidence_owner'] }, async (pool) => {
        const [first, ...others] = await readOriginal(pool, { jobId: job, reason });
        if (!first) {
          throw new DocketError('ORIGINAL_NOT_FOUND', 'no bytes were ever seen to match the hash', {
            hint: `docket status ${job}`,
          });
        }
        return withKeyring(database.config, tell, async (keyring) => {
          const reader = createScanReader({ store: createStore(database.config), keyring });
          const place = await fetchOriginal(reader, [first, ...others], out, interrupted);
          const sha256 = place.sha256.toString('hex');
          return {
            json: {
              job_id: job,
              file: out,
              sha256,
              size_bytes: Number(place.size_bytes),
              media_type: place.media_type,
              source: place.source_id,
              object: place.locator,
              version: place.version,
            },
            text: `${out}: ${place.size_bytes} bytes, ${place.media_type}, SHA-256 ${sha256}`,
          };
        });
      }),
    );
  },
});
