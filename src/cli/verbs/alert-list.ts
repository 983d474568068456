import { z } from 'zod';
import { alertFacts } from '../alerts/alert-facts.ts';
import { unwatchedSince } from '../alerts/unwatched.ts';
import { withDatabase } from '../database-access.ts';
import { printable } from '../printable.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'alert list',
  summary: 'List what is wrong, the worst first, each with why, and what to do next.',
  options: [['--all', 'also what is over, at most 100, the last first']],
  input: z.strictObject({ all: z.boolean().optional() }),
  run: ({ all = false }, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const alerts = await alertFacts(reader, { all });
      const unwatched_since = await unwatchedSince(reader);
      const unwatched =
        unwatched_since === null
          ? []
          : [`Nobody has looked since ${unwatched_since}: no worker is at work. Next: docket worker`];
      const told = alerts.map(
        ({ alert, severity, fact, why, next_command: next, opened_at: opened, closed_at: closed }) =>
          [
            `${alert}  ${severity.toUpperCase()} since ${opened}${closed === null ? '' : `, over at ${closed}`}`,
            `   ${fact}`,
            ...(why === null ? [] : [`   Why: ${why}`]),
            ...(closed === null ? [`   Next: ${next}`] : []),
          ]
            .map(printable)
            .join('\n'),
      );
      return {
        json: { alerts, unwatched_since },
        text: [...unwatched, ...(told.length === 0 ? ['Nothing is wrong.'] : told)].join('\n'),
      };
    }),
});
