import { z } from 'zod';
import { sloMeasures } from '../../db/commands.ts';
import { measureWords } from '../alerts/threshold-words.ts';
import { CHANGE_HEADINGS, changeCells, controlStates } from '../control-states.ts';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'slo list',
  summary: 'List objectives with their thresholds, what is measured now, and who set them.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ as, reader }) => {
      const rows = await reader.selectFrom('docket.slos').selectAll().orderBy('slo').execute();
      const states = await controlStates(reader, ['slo']);
      const measured = await sloMeasures(as('docket_auditor'));
      const slos = rows.map(({ slo, measure, lane, warning, breach, rollback, meaning }) => {
        const {
          control: _,
          target: _target,
          value: _value,
          ...change
        } = states.find((state) => state.target === slo) ?? {
          control: 'slo',
          target: slo,
          value: null,
          ...NEVER_CHANGED,
        };
        const now = measured.find((one) => one.slo === slo);
        return {
          ...{ slo, measure, lane, warning, breach, rollback, now: now?.value ?? null },
          ...{ fact: now?.fact ?? null, meaning, ...change },
        };
      });
      return {
        json: { slos },
        text: textTable(
          ['objective', 'now', 'warning', 'breach', 'rollback', ...CHANGE_HEADINGS],
          slos.map((one) => [
            one.slo,
            measureWords(one.measure, one.now),
            measureWords(one.measure, one.warning) || 'none',
            measureWords(one.measure, one.breach) || 'none',
            measureWords(one.measure, one.rollback) || 'none',
            ...changeCells(one),
          ]),
        ),
      };
    }),
});

const NEVER_CHANGED = { changed_at: null, changed_by: null, reason: null, expires_at: null, change: null };
