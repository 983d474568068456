import { z } from 'zod';
import { startTrial } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { countWorkers, NO_WORKER } from '../live-workers.ts';
import { versionArgument } from '../ocr/version-argument.ts';
import { createProgress } from '../progress.ts';
import { awaitTrial } from '../trial/await-trial.ts';
import { trialAnswer } from '../trial/trial-answer.ts';
import { trialStanding } from '../trial/trial-standing.ts';
import { defineVerb } from '../verb.ts';

const COUNT = 'expected a whole number from 1 to 10000';
const DEFAULT_COUNT = 20;

export default defineVerb({
  usage: 'ocr trial <number> [jobs...]',
  summary:
    'Have published documents read by an OCR configuration and compared with what is published, which stays as it is.',
  options: [
    ['--count <number>', 'draw so many, of every kind and source some; default: 20, where none is named'],
    ['--wait', 'wait for the end, and say how it came out'],
    ['--reason <text>', 'why, in words; it is recorded with your login'],
    AS_LOGIN,
  ],
  input: z
    .strictObject({
      number: versionArgument,
      jobs: z.array(jobArgument).default([]),
      count: z.coerce.number(COUNT).int(COUNT).min(1, COUNT).max(10_000, COUNT).optional(),
      wait: z.boolean().default(false),
      reason: z.string('required'),
      as: z.string().optional(),
    })
    .refine(
      ({ jobs, count }) => jobs.length === 0 || count === undefined,
      'documents that are named are not drawn: leave out --count',
    ),
  run: (
    { number: version, jobs, count = DEFAULT_COUNT, wait, reason, as },
    { config, log, live, interrupted, tell },
  ) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const { reader } = database;
        const [started] = await startTrial(pool, {
          version,
          reason,
          ...(jobs.length > 0 ? { jobs } : { count }),
        });
        if (!started) throw new DocketError('DATABASE_ERROR', 'the trial was not started');
        if ((await countWorkers(reader)) === 0) tell(NO_WORKER);
        if (!wait) return trialAnswer(await trialStanding(reader, started.trial_id));
        const progress = createProgress(live);
        try {
          const ended = await awaitTrial(reader, started.trial_id, {
            signal: interrupted,
            onLook: ({ documents }) =>
              progress.bar(
                documents.filter(({ outcome }) => outcome !== null).length,
                documents.length,
                'read and compared',
              ),
          });
          return trialAnswer(ended);
        } finally {
          progress.clear();
        }
      }),
    ),
});
