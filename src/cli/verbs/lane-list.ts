import { z } from 'zod';
import { CHANGE_HEADINGS, changeCells, controlStates } from '../control-states.ts';
import { controlWords } from '../control-words.ts';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'lane list',
  summary: 'List lanes, those that go first first, the kinds of documents in each, and the rules of sources.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const [states, rows, kinds] = await Promise.all([
        controlStates(reader, ['lane_rule', 'window']),
        reader.selectFrom('docket.lanes').selectAll().orderBy('rank').execute(),
        reader
          .selectFrom('docket.document_kinds')
          .select(['document_kind', 'lane'])
          .orderBy('document_kind')
          .execute(),
      ]);
      const lanes = rows.flatMap(({ lane, is_reserved, meaning }) =>
        states
          .filter((state) => state.control === 'window' && state.target === lane)
          .map(({ control: _, target: _target, value, ...change }) => ({
            lane,
            reserved: is_reserved,
            window: value,
            kinds: kinds.filter((kind) => kind.lane === lane).map((kind) => kind.document_kind),
            meaning,
            ...change,
          })),
      );
      const rules = states
        .filter((state) => state.control === 'lane_rule' && state.value !== null)
        .map(({ control: _, value, ...rest }) => ({ ...rest, lane: value }));
      return {
        json: { lanes, rules },
        text: [
          textTable(
            ['lane', 'reserved slots', 'window', 'kinds', ...CHANGE_HEADINGS],
            lanes.map((one) => [
              one.lane,
              one.reserved ? 'yes' : 'no',
              controlWords('window', one.window),
              one.lane === 'standard' ? 'all others' : one.kinds.join(', '),
              ...changeCells(one),
            ]),
          ),
          textTable(
            ['documents of', 'lane', ...CHANGE_HEADINGS],
            rules.map((one) => [one.target, String(one.lane), ...changeCells(one)]),
          ) || 'No source has a rule of its own.',
        ].join('\n\n'),
      };
    }),
});
