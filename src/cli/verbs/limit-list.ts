import { z } from 'zod';
import { CHANGE_HEADINGS, changeCells, controlStates } from '../control-states.ts';
import { controlWords } from '../control-words.ts';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'limit list',
  summary: 'List how much of each source, and of all together, is admitted.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const states = await controlStates(reader, ['limit']);
      const limits = states
        .filter((state) => state.value !== null)
        .map(({ control: _, value, ...rest }) => ({ ...rest, limit: value }));
      return {
        json: { limits },
        text:
          textTable(
            ['of', 'limit', ...CHANGE_HEADINGS],
            limits.map((one) => [one.target, controlWords('limit', one.limit), ...changeCells(one)]),
          ) || 'Nothing is limited.',
      };
    }),
});
