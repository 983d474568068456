import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { alertFacts } from '../alerts/alert-facts.ts';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { numberArgument } from '../number-argument.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'alert show <number>',
  summary: 'Show an alert, why it is, and what became of it since it was opened.',
  input: z.strictObject({ number: numberArgument('an alert', Number.MAX_SAFE_INTEGER) }),
  run: ({ number }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const [alert] = await alertFacts(reader, { number });
      if (alert === undefined)
        throw new DocketError('ALERT_NOT_FOUND', `there is no alert ${number}`, {
          hint: 'docket alert list --all',
        });
      const rows = await reader
        .selectFrom('docket.alert_changes')
        .select(['change', 'severity', 'fact', 'changed_at'])
        .where('alert_id', '=', String(number))
        .orderBy('alert_change_id')
        .execute();
      const changes = rows.map((row) => ({ ...row, changed_at: isoTime(row.changed_at) }));
      return {
        json: { ...alert, changes },
        text: [
          ...[
            `Alert ${number} of ${alert.subject}: ${alert.closed_at === null ? alert.severity : 'closed'}`,
            alert.fact,
            ...(alert.why === null ? [] : [`Why: ${alert.why}`]),
            ...(alert.closed_at === null ? [`Next: ${alert.next_command}`] : []),
          ].map(printable),
          '',
          textTable(
            ['when', 'change', 'severity', 'what'],
            changes.map((one) => [one.changed_at, one.change, one.severity, one.fact]),
          ),
        ].join('\n'),
      };
    }),
});
