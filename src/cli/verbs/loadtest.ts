import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { findKnee } from '../../domain/loadtest/knee.ts';
import { pagesPerSecond } from '../../domain/loadtest/level.ts';
import { levelsFor } from '../../domain/loadtest/levels.ts';
import { levelOf, propose } from '../../domain/loadtest/proposal.ts';
import { DocketError } from '../../errors.ts';
import { makePrivateFile } from '../../private-file.ts';
import { loadPlot } from '../../report/load-plot.ts';
import { AS_LOGIN } from '../acting-login.ts';
import type { Answer } from '../answer.ts';
import { spanArgument } from '../control-change.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { withDatabase } from '../database-access.ts';
import { refuseExisting, refuseUnwritable } from '../fetch-original.ts';
import type { Application } from '../loadtest/apply-proposal.ts';
import { applyProposal, requireMayApply } from '../loadtest/apply-proposal.ts';
import { loadAnswer, loadPlotOf } from '../loadtest/load-answer.ts';
import type { LoadDocument } from '../loadtest/load-documents.ts';
import { loadDocuments } from '../loadtest/load-documents.ts';
import { serverInFolder, withLoadFolder } from '../loadtest/load-folder.ts';
import { hasDatabase, measureLoad, workersOf } from '../loadtest/measure-load.ts';
import type { CliContext } from '../verb.ts';
import { defineVerb } from '../verb.ts';

const NUMBERS = 'expected numbers from 1 to 256, separated by commas';

const input = z.strictObject({
  dir: z.string().optional(),
  minutes: z.coerce.number().min(0.05).max(600).default(4),
  slots: z
    .string()
    .regex(/^[1-9]\d{0,2}(, *[1-9]\d{0,2})*$/, NUMBERS)
    .transform((text) => [...new Set(text.split(',').map(Number))].toSorted((one, other) => one - other))
    .refine((levels) => levels.every((slots) => slots <= 256), NUMBERS)
    .optional(),
  hosts: z.coerce.number().int().min(1).max(10_000).optional(),
  plot: z.string().min(1).optional(),
  apply: z.boolean().default(false),
  reason: z.string().optional(),
  for: spanArgument.optional(),
  as: z.string().optional(),
});

export default defineVerb({
  usage: 'loadtest [dir]',
  summary:
    'Replay scans at rising concurrency on a database made for it, and propose slots, limits and an age to promise.',
  options: [
    ['--minutes <number>', 'how long to measure, all levels together; default 4'],
    ['--slots <numbers>', 'the levels, such as 1,2,4,8; default: from 1 to twice the cores of this host'],
    ['--hosts <number>', 'hosts like this one that work on the database: the limit is for all; default 1'],
    ['--plot <file>', 'where to write the curve, as SVG; nothing is overwritten'],
    ['--apply', 'set the slots and the limit that are proposed, as docket pool set and docket limit set do'],
    ['--for <span>', 'with --apply: for so long, such as "2 hours"'],
    ['--reason <text>', 'with --apply: why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  logs: 'errors',
  input,
  async run(options, context) {
    const application = applicationOf(options);
    if (options.plot !== undefined) await requireWritable(options.plot);
    const { documents, leftOut } = await loadDocuments(options.dir);
    const { config, log } = context;
    return withLoadFolder(log, async (folder) => {
      // With --apply there must be one: to refuse its absence is for whoever opens it.
      if (application || hasDatabase(config)) {
        return withDatabase(config, { log }, async (database) => {
          await requireReady(database, application, options.hosts, context);
          return test(database, { ...options, folder, documents, leftOut, application }, context);
        });
      }
      return withDatabase(await serverInFolder(config, folder), { log, create: true }, (database) =>
        test(database, { ...options, folder, documents, leftOut, application }, context),
      );
    });
  },
});

interface Plan extends Omit<z.infer<typeof input>, 'apply' | 'reason' | 'for' | 'as'> {
  readonly folder: string;
  readonly documents: readonly LoadDocument[];
  readonly leftOut: number;
  readonly application: Application | undefined;
}

/** Measures, proposes, draws, and sets what is proposed where that was asked for. */
async function test(database: DatabaseAccess, plan: Plan, context: CliContext): Promise<Answer> {
  const { hosts = 1, plot, application, documents } = plan;
  const cores = availableParallelism();
  const measures = await measureLoad(database, { ...plan, levels: plan.slots ?? levelsFor(cores) }, context);
  const knee = findKnee(
    measures.map((level) => ({ slots: level.slots, pagesPerSecond: pagesPerSecond(level) })),
  );
  const atKnee = knee && levelOf(measures, knee);
  if (!atKnee || atKnee.documents.length === 0) {
    throw new DocketError('LOADTEST_NOTHING_READ', 'none of the documents could be published', {
      hint: 'see what becomes of them: docket demo FILE…',
    });
  }
  const result = {
    cores,
    hosts,
    documents: documents.length,
    leftOut: plan.leftOut,
    folder: plan.dir === undefined ? 'the corpus' : basename(resolve(plan.dir)),
    minutes: plan.minutes,
    levels: measures,
    knee,
    atKnee,
    proposal: propose(atKnee, hosts),
  };
  if (plot !== undefined) await write(plot, loadPlot(loadPlotOf(result, new Date())));
  const changes = application && (await applyProposal(database, result.proposal, application));
  return loadAnswer({ ...result, plot, changes });
}

function applicationOf({ apply, reason, for: span, as }: z.infer<typeof input>): Application | undefined {
  const hint = 'docket loadtest --help';
  if (apply) {
    if (reason === undefined) throw new DocketError('USAGE', '--reason: required with --apply', { hint });
    return { reason, for: span, as };
  }
  if (reason === undefined && span === undefined && as === undefined) return undefined;
  throw new DocketError('USAGE', '--reason, --for and --as go with --apply', { hint });
}

/** Refuses what would be refused after the measurement, and says what else is in it. */
async function requireReady(
  database: DatabaseAccess,
  application: Application | undefined,
  hosts: number | undefined,
  { tell }: CliContext,
): Promise<void> {
  const workers = await workersOf(database);
  if (application) {
    await requireMayApply(database, application);
    if (workers > 1 && hosts === undefined) {
      throw new DocketError('USAGE', `${workers} workers are at work: say on how many hosts by --hosts`, {
        hint: 'the limit of pages is for all of them together',
      });
    }
  }
  if (workers > 0) {
    tell(
      `Workers at work on the database: ${workers}. What they do here slows the test, and the test slows them.`,
    );
  }
}

async function requireWritable(file: string): Promise<void> {
  await refuseExisting(file);
  const folder = await stat(dirname(resolve(file))).catch((error: unknown) => refuseUnwritable(file, error));
  if (!folder.isDirectory()) refuseUnwritable(file, `${dirname(file)} is not a folder`);
}

async function write(file: string, text: string): Promise<void> {
  const isOurs = await makePrivateFile(file, text, { folder: 'must be there' }).catch((error: unknown) =>
    refuseUnwritable(file, error),
  );
  if (!isOurs) await refuseExisting(file);
}
