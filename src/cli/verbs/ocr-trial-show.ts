import { z } from 'zod';
import { judgeTrial } from '../../domain/comparison/judge-trial.ts';
import { makePrivateFile } from '../../private-file.ts';
import { MOST_DRAWN, trialPage } from '../../report/trial/trial-page.ts';
import { withDatabase } from '../database-access.ts';
import { refuseExisting, refuseUnwritable } from '../fetch-original.ts';
import { numberArgument } from '../number-argument.ts';
import { VERSION } from '../../version.ts';
import { trialAnswer } from '../trial/trial-answer.ts';
import { trialStanding, withPages } from '../trial/trial-standing.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'ocr trial show <trial>',
  summary: 'Show how a trial came out: by kind, the documents that differ most, and what all of it says.',
  options: [
    [
      '--html <file>',
      'also write a page with maps of where words differ, without the words; nothing is overwritten',
    ],
  ],
  input: z.strictObject({ trial: numberArgument('a trial'), html: z.string().min(1).optional() }),
  async run({ trial, html }, { config, log }) {
    if (html !== undefined) await refuseExisting(html);
    return withDatabase(config, { log }, async ({ reader }) => {
      const standing = await trialStanding(reader, trial);
      const answer = trialAnswer(standing);
      if (html === undefined) return answer;
      const drawn = await withPages(reader, standing, MOST_DRAWN);
      const page = trialPage(
        { ...drawn, judgement: judgeTrial(standing.version, standing.documents) },
        {
          title: `Trial ${trial} of OCR configuration ${standing.version}`,
          madeAt: new Date().toISOString(),
          madeBy: `docket ${VERSION}`,
        },
      );
      const isOurs = await makePrivateFile(html, page, { folder: 'must be there' }).catch((error: unknown) =>
        refuseUnwritable(html, error),
      );
      if (!isOurs) await refuseExisting(html);
      return { ...answer, text: `${answer.text}\nWritten: ${html}` };
    });
  },
});
