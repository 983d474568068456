import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { numberArgument } from '../number-argument.ts';
import { replayAnswer } from '../replay/replay-answer.ts';
import { replayProblems, replayStanding } from '../replay/replay-standing.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'replay show <number>',
  summary: 'Show how a replay came out: every document that did not pass, and what that says of the rest.',
  input: z.strictObject({ number: numberArgument('a replay') }),
  run: ({ number }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) =>
      replayAnswer(await replayStanding(reader, number), await replayProblems(reader, number)),
    ),
});
