import { basename, join } from 'node:path';
import { z } from 'zod';
import { migrate } from '../../db/migrate.ts';
import { connectionUrl } from '../../db/pools.ts';
import { writeReport } from '../../report/report.ts';
import type { Answer } from '../answer.ts';
import { awaitJobs } from '../await-jobs.ts';
import { beginStore } from '../begin-store.ts';
import { checkedTimelines } from '../checked-timelines.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import { analystLines, askAsAnalyst } from '../demo/ask-as-analyst.ts';
import { awaitCheckpoint } from '../demo/await-checkpoint.ts';
import { awaitReceipts } from '../demo/await-receipts.ts';
import { corpusScans } from '../demo/corpus-scans.ts';
import type { DeliveredScan } from '../demo/deliver-demo.ts';
import { deliverDemo } from '../demo/deliver-demo.ts';
import { demoConfig, foldersOf, prepareFolder } from '../demo/demo-folder.ts';
import { readOutcomes, surprises } from '../demo/demo-outcomes.ts';
import { isProven, proofForReport, proofLines, proveDemo } from '../demo/demo-proof.ts';
import type { DemoScan } from '../demo/demo-scan.ts';
import { closingLines, outcomeTable } from '../demo/demo-summary.ts';
import { addUp } from '../demo/demo-totals.ts';
import { createPagePictures } from '../demo/page-pictures.ts';
import type { ReplayedAll } from '../demo/replay-published.ts';
import { replayPublished } from '../demo/replay-published.ts';
import { reportDocuments } from '../demo/report-documents.ts';
import type { DemoDelivery } from '../demo/sign-scans.ts';
import { signScans } from '../demo/sign-scans.ts';
import { EXIT } from '../exit-codes.ts';
import { LOCAL_SOURCE } from '../local-source.ts';
import { createProgress } from '../progress.ts';
import type { Progress } from '../progress.ts';
import { VERSION } from '../../version.ts';
import { findScans } from '../scan-files.ts';
import type { CliContext } from '../verb.ts';
import { defineVerb } from '../verb.ts';
import { withWorker } from '../worker-run.ts';

export default defineVerb({
  usage: 'demo [files...]',
  summary: 'See it work: an own database, the corpus or your files, every step to the published text.',
  options: [['--keep', 'go on in the folder of the last demo instead of an empty one']],
  logs: 'errors',
  input: z.strictObject({ files: z.array(z.string()).optional(), keep: z.boolean().default(false) }),
  async run({ files = [], keep }, context) {
    const begun = performance.now();
    const isOwn = files.length > 0;
    const scans = isOwn ? await ownScans(files) : corpusScans();
    const config = demoConfig(context.config);
    const progress = createProgress(context.live);
    try {
      progress.line(`Starting Postgres in ${config.dataDir} …`);
      await prepareFolder(config, keep, context.log);
      return await withDatabase(config, { log: context.log, create: true }, async (database) => {
        await migrate({
          connectionString: connectionUrl(database.config, 'owner'),
          onlyIfChanged: true,
          log: context.log,
        });
        await beginStore(database);
        const delivery = isOwn ? { scans, anchors: [] } : await signScans(scans, config.dataDir);
        const run = await deliverAndAwait(database, delivery, progress, context);
        return await conclude(database, run, progress, begun, context);
      });
    } finally {
      progress.clear();
    }
  },
});

/** What was delivered, and how it came out of its replay. */
interface DemoRun {
  readonly delivered: readonly DeliveredScan[];
  readonly replay: ReplayedAll;
}

/** Runs a worker, delivers the scans to it, shows each document as it ends, and has what is published replayed. */
async function deliverAndAwait(
  database: DatabaseAccess,
  delivery: DemoDelivery,
  progress: Progress,
  { log, interrupted }: CliContext,
): Promise<DemoRun> {
  let delivered: DeliveredScan[] = [];
  let replay: ReplayedAll = { passed: 0, failed: 0, unchecked: 0 };
  await withWorker(database.config, { log, interrupted, tell: () => undefined }, async () => {
    delivered = await deliverDemo(database, delivery, interrupted, (scan) =>
      progress.bar(0, delivery.scans.length, `delivered ${scan.file}`),
    );
    const files = new Map(delivered.toReversed().map((one) => [one.jobId, one.file]));
    progress.line(
      `Delivered ${delivered.length} scans, one row each. A worker checks, reads and publishes them.`,
    );
    const begun = performance.now();
    let done = 0;
    await awaitJobs(database.reader, [...files.keys()], {
      signal: interrupted,
      onLook(ended, running) {
        done += ended.length;
        const seconds = ((performance.now() - begun) / 1000).toFixed(0).padStart(3);
        for (const { jobId, state, code } of ended) {
          progress.line(`${seconds} s  ${(code ?? state).padEnd(14)} ${files.get(jobId) ?? jobId}`);
        }
        progress.bar(done, files.size, `${running} being read, ${seconds.trim()} s`);
      },
    });
    progress.bar(done, files.size, 'waiting for the receipts');
    await awaitReceipts(database.reader, [...files.keys()], interrupted);
    replay = await replayPublished(database, interrupted, (replayed, all) =>
      progress.bar(replayed, all, 'replayed from the store'),
    );
    progress.note('waiting for the last checkpoint');
    await awaitCheckpoint(database.reader, interrupted);
  });
  interrupted.throwIfAborted();
  return { delivered, replay };
}

/** Verifies, writes the report, and says what it came to. */
async function conclude(
  database: DatabaseAccess,
  { delivered, replay }: DemoRun,
  progress: Progress,
  begun: number,
  { json, log, tell, interrupted }: CliContext,
): Promise<Answer> {
  const outcomes = await readOutcomes(database, delivered);
  const timelines = await checkedTimelines(
    database.reader,
    outcomes.map((one) => one.jobId),
  );
  progress.bar(delivered.length, delivered.length, 'asking GraphQL');
  const seen = await askAsAnalyst(database.config, outcomes, log);
  progress.bar(delivered.length, delivered.length, 'verifying, and planting changes to be found');
  const proof = await proveDemo(database, outcomes, { replay, signal: interrupted });
  const totals = await addUp(database, outcomes, timelines, { seen, proof });
  progress.bar(delivered.length, delivered.length, 'writing the report');
  const report = join(database.config.dataDir, 'report.html');
  const pictures = createPagePictures(database.config, log);
  try {
    const documents = await reportDocuments(database, outcomes, timelines, pictures);
    const madeAt = new Date().toISOString();
    const options = { title: 'Docket demo', madeAt, madeBy: `docket ${VERSION}` };
    await writeReport(report, documents, options, proofForReport(proof));
  } finally {
    pictures.close();
  }
  progress.clear();
  const folders = database.cluster ? foldersOf(database.config, database.cluster) : [];
  const seconds = (performance.now() - begun) / 1000;
  const columns = json ? process.stderr.columns : process.stdout.columns;
  const text = [
    '',
    outcomeTable(outcomes, columns),
    '',
    ...(seen ? [analystLines(seen), ''] : []),
    closingLines(database, { totals, proof: proofLines(proof), report, folders, seconds }),
  ].join('\n');
  if (json) tell(text);
  const wrong = surprises(outcomes);
  for (const surprise of wrong) tell(`NOT AS EXPECTED: ${surprise}`);
  const isGood = wrong.length === 0 && totals.chains_ok && isProven(proof);
  return { json: totals, text, exitCode: isGood ? EXIT.ok : EXIT.checkFailed };
}

async function ownScans(paths: readonly string[]): Promise<DemoScan[]> {
  const files = await findScans(paths);
  return files.map((path) => ({ file: basename(path), path, sourceId: LOCAL_SOURCE, kind: 'unknown' }));
}
