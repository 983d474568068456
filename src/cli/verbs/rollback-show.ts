import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { withDatabase } from '../database-access.ts';
import { numberArgument } from '../number-argument.ts';
import { rollbackAnswer } from '../rollback/rollback-answer.ts';
import { rollbackStandings } from '../rollback/rollback-standing.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'rollback show <number>',
  summary: 'Show a rollback: its steps, and the documents that the withdrawn OCR configuration left.',
  input: z.strictObject({ number: numberArgument('a rollback') }),
  run: ({ number }, { config, log }) =>
    withDatabase(config, { log }, async ({ as, reader }) => {
      const [standing] = await rollbackStandings(reader, { rollback: number });
      if (standing === undefined)
        throw new DocketError('ZD093', `rollback: there is no rollback ${number}`, {
          hint: 'See docket rollback list.',
        });
      return rollbackAnswer(as('docket_auditor'), reader, standing);
    }),
});
