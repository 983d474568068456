import { basename } from 'node:path';
import { z } from 'zod';
import { requireKeys } from '../../sealing/require-keys.ts';
import { createStore } from '../../store/create-store.ts';
import type { EndedJob } from '../await-jobs.ts';
import { awaitJobs } from '../await-jobs.ts';
import { beginStore } from '../begin-store.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import type { Submitted } from '../deliver-files.ts';
import { deliverFiles } from '../deliver-files.ts';
import { EXIT } from '../exit-codes.ts';
import { countWorkers, NO_WORKER } from '../live-workers.ts';
import { LOCAL_SOURCE, localSender } from '../local-source.ts';
import type { PlannedScan } from '../planned-scans.ts';
import { planScans } from '../planned-scans.ts';
import { createProgress } from '../progress.ts';
import type { Progress } from '../progress.ts';
import { findScans } from '../scan-files.ts';
import { withKeyring } from '../sealing-keys.ts';
import { textTable } from '../text-table.ts';
import { timeArgument } from '../time-argument.ts';
import type { CliContext } from '../verb.ts';
import { defineVerb } from '../verb.ts';

const NUMBER = 'expected a whole number from 1';

const input = z.strictObject({
  files: z.array(z.string()).min(1),
  source: z.string().default(LOCAL_SOURCE),
  kind: z.string().default('unknown'),
  capturedAt: timeArgument.optional(),
  envelope: z.string().optional(),
  envelopes: z.boolean().default(false),
  number: z.coerce.number(NUMBER).int(NUMBER).min(1, NUMBER).max(Number.MAX_SAFE_INTEGER, NUMBER).optional(),
  wait: z.boolean().default(false),
});

export default defineVerb({
  usage: 'submit <files...>',
  summary: 'Hash, seal, store and deliver files, and folders with all that is in them.',
  options: [
    ['--source <name>', `deliver for this source; default ${LOCAL_SOURCE}, made on first use`],
    ['--kind <kind>', 'kind of document, a row of docket.document_kinds; default unknown'],
    ['--captured-at <time>', 'when the scans were taken; default: when each file was last changed'],
    ['--envelope <file>', 'a detached signature over the scan: JWS, DSSE, CMS or a time-stamp; for one scan'],
    ['--envelopes', 'those that lie beside the scans: FILE.p7s, .jws, .dsse.json, .tsr; a delivery for each'],
    ['--number <number>', 'number of the scan in the count of its source; further scans count on from it'],
    ['--wait', 'until every document is published or quarantined'],
  ],
  input,
  async run(options, context) {
    const scans = await planScans(await findScans(options.files), {
      envelope: options.envelope,
      besides: options.envelopes,
      firstNumber: options.number,
    });
    return withDatabase(context.config, context, async (database) => {
      const progress = createProgress(context.live);
      try {
        const submitted = await submitAll(database, scans, options, progress, context);
        const ended = options.wait ? await waitFor(database, submitted, progress, context) : undefined;
        const firsts = await firstDeliveries(database, submitted);
        const quarantined = [...(ended?.values() ?? [])].filter((job) => job.state === 'quarantined').length;
        const documents = submitted.map(
          ({ file, envelope, jobId, deliveryId, statement: { scan, scanNumber } }) => ({
            file,
            job_id: jobId,
            sha256: scan.sha256.toString('hex'),
            size_bytes: scan.sizeBytes,
            media_type: scan.mediaType,
            envelope: envelope ?? null,
            scan_number: scanNumber ?? null,
            is_duplicate: !firsts.has(deliveryId),
            ...(ended && { state: ended.get(jobId)?.state, code: ended.get(jobId)?.code ?? null }),
          }),
        );
        return {
          json: {
            submitted: submitted.length,
            jobs: new Set(submitted.map((one) => one.jobId)).size,
            duplicates: documents.filter((one) => one.is_duplicate).length,
            documents,
          },
          text: textTable(
            ['job', ...(ended ? ['state', 'code'] : []), 'file'],
            documents.map((one) => [
              one.job_id,
              ...(ended ? [one.state ?? null, one.code ?? null] : []),
              [
                one.file,
                ...(one.envelope === null ? [] : [`with ${basename(one.envelope)}`]),
                ...(one.is_duplicate ? ['(delivered before)'] : []),
              ].join(' '),
            ]),
          ),
          exitCode: quarantined > 0 ? EXIT.quarantined : EXIT.ok,
        };
      } finally {
        progress.clear();
      }
    });
  },
});

async function submitAll(
  database: DatabaseAccess,
  scans: readonly PlannedScan[],
  { source, kind, capturedAt }: z.infer<typeof input>,
  progress: Progress,
  { interrupted, tell }: CliContext,
): Promise<Submitted[]> {
  const sender = await localSender(database);
  return withKeyring(database.config, tell, async (keyring) => {
    await requireKeys(database.as('docket_auditor'), keyring);
    await beginStore(database);
    const sink = { store: createStore(database.config), keyring, db: sender };
    const stated = { sourceId: source, documentKind: kind, capturedAt };
    return deliverFiles(sink, scans, stated, { progress, signal: interrupted });
  });
}

/** Which of the deliveries made their jobs; the others were of bytes that were known. */
async function firstDeliveries(
  database: DatabaseAccess,
  submitted: readonly Submitted[],
): Promise<Set<string>> {
  const rows = await database.reader
    .selectFrom('docket.jobs')
    .select('delivery_id')
    .where(
      'job_id',
      'in',
      submitted.map((one) => one.jobId),
    )
    .execute();
  return new Set(rows.map((row) => row.delivery_id));
}

async function waitFor(
  database: DatabaseAccess,
  submitted: readonly Submitted[],
  progress: Progress,
  { interrupted, tell }: CliContext,
): Promise<Map<string, EndedJob>> {
  if ((await countWorkers(database.reader)) === 0) tell(NO_WORKER);
  const jobs = [...new Set(submitted.map((one) => one.jobId))];
  let done = 0;
  return awaitJobs(database.reader, jobs, {
    signal: interrupted,
    onLook(ended, running) {
      done += ended.length;
      progress.bar(done, jobs.length, `${running} being recognised`);
    },
  });
}
