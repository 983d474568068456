import { z } from 'zod';
import { admissionState } from '../../db/commands.ts';
import { CHANGE_HEADINGS, changeCells, controlStates } from '../control-states.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { textTable } from '../text-table.ts';
import { typedQueries } from '../typed-queries.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'admission show',
  summary: 'Show where admission is closed, and what of each source waits for it.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ as }) => {
      const pool = as('docket_operator');
      const states = await controlStates(typedQueries(pool), ['admission']);
      const closed = states
        .filter((state) => state.value !== null)
        .map(({ control: _, value: _value, ...rest }) => rest);
      const sources = (await admissionState(pool)).map((row) => ({
        ...row,
        oldest_at: isoTime(row.oldest_at),
        next_at: isoTime(row.next_at),
      }));
      return {
        json: { closed, sources },
        text: [
          textTable(
            ['closed to', ...CHANGE_HEADINGS],
            closed.map((one) => [one.target, ...changeCells(one)]),
          ) || 'Admission is open.',
          textTable(
            ['source', 'waiting', 'oldest', 'closed by', 'limit of', 'next', 'under way'],
            sources.map((one) => [
              one.source_id,
              one.waiting,
              one.oldest_at,
              one.gate,
              one.flow_limit,
              one.next_at,
              one.in_flight,
            ]),
          ) || 'Nothing waits for admission.',
        ].join('\n\n'),
      };
    }),
});
