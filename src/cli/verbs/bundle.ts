import { z } from 'zod';
import { makeBundle } from '../../bundle/make-bundle.ts';
import { createScanReader } from '../../sealing/scan-reader.ts';
import { createStore } from '../../store/create-store.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { fetchOriginal, refuseExisting } from '../fetch-original.ts';
import { jobArgument } from '../job-argument.ts';
import { withKeyring } from '../sealing-keys.ts';
import { defineVerb } from '../verb.ts';

/** Long enough for a seal, a checkpoint and a witness or two. */
const WAIT_SECONDS = 60;

export default defineVerb({
  usage: 'bundle <job...>',
  summary:
    'Write what is known of documents, with proofs, to one file that can be verified without a database.',
  options: [
    ['--out <file>', 'where to write it; nothing is overwritten'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    ['--original', 'with the original scans'],
    [
      '--wait <seconds>',
      `how long to wait for a checkpoint that covers all of it; ${WAIT_SECONDS} unless stated`,
    ],
    AS_LOGIN,
  ],
  input: z.strictObject({
    job: z.array(jobArgument),
    out: z.string('required').min(1),
    reason: z.string('required'),
    original: z.boolean().default(false),
    wait: z.coerce.number('expected a number').min(0, 'expected no negative number').default(WAIT_SECONDS),
    as: z.string().optional(),
  }),
  async run({ job, out, reason, original, wait, as }, { config, log, tell, interrupted }) {
    await refuseExisting(out);
    const jobs = [...new Set(job)];
    return withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_auditor', 'docket_evidence_owner'] }, (pool) =>
        withKeyring(database.config, tell, async (keyring) => {
          const reader = createScanReader({ store: createStore(database.config), keyring });
          const { checkpoint, documents } = await makeBundle(pool, {
            jobs,
            reason,
            file: out,
            fetchOriginal: original
              ? (places, file) => fetchOriginal(reader, places, file, interrupted)
              : undefined,
            waitMs: wait * 1000,
            signal: interrupted,
          });
          const size = String(checkpoint?.size);
          const events = documents.reduce((sum, document) => sum + document.events.length, 0);
          return {
            json: {
              file: out,
              origin: checkpoint?.origin,
              size: Number(size),
              documents: documents.map(({ jobId, sha256, state }) => ({ job_id: jobId, sha256, state })),
            },
            text: [
              `${out}: ${documents.length} documents, ${events} events, under the checkpoint of ${checkpoint?.origin ?? ''} at ${size} leaves`,
              `Verify it anywhere: docket bundle verify ${out} --key FILE`,
            ].join('\n'),
          };
        }),
      ),
    );
  },
});
