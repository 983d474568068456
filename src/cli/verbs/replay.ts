import type pg from 'pg';
import { z } from 'zod';
import { replayDocuments, startReplay } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { countWorkers, NO_WORKER } from '../live-workers.ts';
import { createProgress } from '../progress.ts';
import { awaitReplay } from '../replay/await-replay.ts';
import { replayAnswer } from '../replay/replay-answer.ts';
import { replayProblems, replayStanding } from '../replay/replay-standing.ts';
import { shareArgument } from '../share-argument.ts';
import { defineVerb } from '../verb.ts';

const COUNT = 'expected a whole number from 1';

const input = z
  .strictObject({
    jobs: z.array(jobArgument).default([]),
    count: z.coerce.number(COUNT).int(COUNT).min(1, COUNT).max(2_147_483_647, COUNT).optional(),
    share: shareArgument.optional(),
    source: z.array(z.string()).optional(),
    seed: z.string().optional(),
    reread: z.boolean().default(false),
    wait: z.boolean().default(true),
    reason: z.string().default('Asked for on the command line.'),
    as: z.string().optional(),
  })
  .refine(
    ({ jobs, count, share }) =>
      [jobs.length > 0, count !== undefined, share !== undefined].filter(Boolean).length === 1,
    'name documents, or state --count, or --share: one of them',
  )
  .refine(
    ({ jobs, source, seed }) => jobs.length === 0 || (source === undefined && seed === undefined),
    'documents that are named are not drawn: leave out --source and --seed',
  );

export default defineVerb({
  usage: 'replay [jobs...]',
  summary: 'Verify published documents again: objects, signatures, text; those that are named, or a sample.',
  options: [
    ['--count <number>', 'draw so many, of every source and age some'],
    ['--share <share>', 'draw this share of all: 0.05, or 5%; 1 for all'],
    ['--source <names...>', 'draw from the documents of these sources; default: of all'],
    ['--seed <text>', 'draw by this seed, such as the root of a checkpoint; default: one is made up'],
    ['--reread', 'recognise the text anew too, and compare it'],
    ['--no-wait', 'do not wait for the end; see docket replay show'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input,
  run: (asked, { config, log, live, interrupted, tell }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as: asked.as, roles: ['docket_operator', 'docket_auditor'] }, async (pool) => {
        const { reader } = database;
        const replay = await begin(pool, asked);
        if (!asked.wait) return replayAnswer(await replayStanding(reader, replay), []);
        if ((await countWorkers(reader)) === 0) tell(NO_WORKER);
        const progress = createProgress(live);
        try {
          const standing = await awaitReplay(reader, replay, {
            signal: interrupted,
            onLook: ({ sample, waiting, failed }) =>
              progress.bar(
                sample - waiting,
                sample,
                failed === 0 ? 'replayed' : `replayed, ${failed} failed`,
              ),
          });
          return replayAnswer(standing, await replayProblems(reader, replay));
        } finally {
          progress.clear();
        }
      }),
    ),
});

/** Starts the replay; answers its number. */
async function begin(pool: pg.Pool, asked: z.infer<typeof input>): Promise<number> {
  const { jobs, count, share, source, seed, reread, reason } = asked;
  const [started] =
    jobs.length > 0
      ? await replayDocuments(pool, { jobs, isReread: reread, reason })
      : await startReplay(pool, {
          count: count ?? null,
          share: share ?? null,
          seed: seed ?? null,
          sources: source ?? null,
          isReread: reread,
          reason,
        });
  if (!started) throw new DocketError('DATABASE_ERROR', 'the replay was not started');
  return started.replay_id;
}
