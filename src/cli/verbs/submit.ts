import type pg from 'pg';
import { z } from 'zod';
import type { ScanSink } from '../../sealing/put-scan.ts';
import { requireKeys } from '../../sealing/require-keys.ts';
import { createStore } from '../../store/create-store.ts';
import type { EndedJob } from '../await-jobs.ts';
import { awaitJobs } from '../await-jobs.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import type { Delivery, Statement } from '../deliver.ts';
import { deliver } from '../deliver.ts';
import { EXIT } from '../exit-codes.ts';
import { countWorkers, NO_WORKER } from '../live-workers.ts';
import { LOCAL_SOURCE, localSender } from '../local-source.ts';
import { createProgress } from '../progress.ts';
import type { Progress } from '../progress.ts';
import { findScans, storeScan } from '../scan-files.ts';
import { withKeyring } from '../sealing-keys.ts';
import { textTable } from '../text-table.ts';
import type { CliContext } from '../verb.ts';
import { defineVerb } from '../verb.ts';

/** Rows of one statement: few enough that work begins while later files are still being stored. */
const BATCH = 25;

const input = z.strictObject({
  files: z.array(z.string()).min(1),
  source: z.string().default(LOCAL_SOURCE),
  kind: z.string().default('unknown'),
  capturedAt: z.coerce.date('expected a time such as 2026-03-01T09:30:00Z').optional(),
  wait: z.boolean().default(false),
});

interface Submitted extends Delivery {
  readonly file: string;
  readonly statement: Statement;
}

export default defineVerb({
  usage: 'submit <files...>',
  summary: 'Hash, seal, store and deliver files, and folders with all that is in them.',
  options: [
    ['--source <name>', `deliver for this source; default ${LOCAL_SOURCE}, made on first use`],
    ['--kind <kind>', 'kind of document, a row of docket.document_kinds; default unknown'],
    ['--captured-at <time>', 'when the scans were taken; default: when each file was last changed'],
    ['--wait', 'until every document is published or quarantined'],
  ],
  input,
  async run(options, context) {
    const files = await findScans(options.files);
    return withDatabase(context.config, context, async (database) => {
      const progress = createProgress(context.live);
      try {
        const submitted = await submitAll(database, files, options, progress, context);
        const ended = options.wait ? await waitFor(database, submitted, progress, context) : undefined;
        const firsts = await firstDeliveries(database, submitted);
        const quarantined = [...(ended?.values() ?? [])].filter((job) => job.state === 'quarantined').length;
        const documents = submitted.map(({ file, jobId, deliveryId, statement: { scan } }) => ({
          file,
          job_id: jobId,
          sha256: scan.sha256.toString('hex'),
          size_bytes: scan.sizeBytes,
          media_type: scan.mediaType,
          is_duplicate: !firsts.has(deliveryId),
          ...(ended && { state: ended.get(jobId)?.state, code: ended.get(jobId)?.code ?? null }),
        }));
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
              one.is_duplicate ? `${one.file} (delivered before)` : one.file,
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
  files: readonly string[],
  { source, kind, capturedAt }: z.infer<typeof input>,
  progress: Progress,
  { interrupted, tell }: CliContext,
): Promise<Submitted[]> {
  const sender = await localSender(database);
  return withKeyring(database.config, tell, async (keyring) => {
    await requireKeys(database.as('docket_auditor'), keyring);
    const sink = { store: createStore(database.config), keyring, db: sender };
    return storeAndDeliver(sink, files, { source, kind, capturedAt }, progress, interrupted);
  });
}

async function storeAndDeliver(
  sink: ScanSink & { db: pg.Pool },
  files: readonly string[],
  { source, kind, capturedAt }: Pick<z.infer<typeof input>, 'source' | 'kind' | 'capturedAt'>,
  progress: Progress,
  interrupted: AbortSignal,
): Promise<Submitted[]> {
  const submitted: Submitted[] = [];
  for (let at = 0; at < files.length; at += BATCH) {
    const stored: { file: string; statement: Statement }[] = [];
    for (const file of files.slice(at, at + BATCH)) {
      interrupted.throwIfAborted();
      progress.bar(at + stored.length, files.length, `storing ${file}`);
      const scan = await storeScan(sink, file, { sourceId: source, signal: interrupted });
      const statement = {
        scan,
        sourceId: source,
        documentKind: kind,
        capturedAt: capturedAt ?? scan.modifiedAt,
      };
      stored.push({ file, statement });
    }
    const deliveries = await deliver(
      sink.db,
      stored.map((one) => one.statement),
    );
    deliveries.forEach((delivery, place) => {
      const one = stored[place];
      if (one) submitted.push({ ...one, ...delivery });
    });
  }
  return submitted;
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
