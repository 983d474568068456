import { z } from 'zod';
import { withDatabase } from '../database-access.ts';
import { isoTime } from '../iso-time.ts';
import { assignments, versionStates } from '../ocr/version-states.ts';
import { percent } from '../percent.ts';
import { textTable } from '../text-table.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'ocr list',
  summary:
    'List the OCR configurations: which one reads, which a share, where a rollback goes, which may be tried.',
  input: z.strictObject({}),
  run: (_input, { config, log }) =>
    withDatabase(config, { log }, async ({ reader }) => {
      const versions = await versionStates(reader);
      const choice = await reader.selectFrom('docket.ocr_choice').selectAll().executeTakeFirstOrThrow();
      const within = await reader
        .selectFrom('docket.control_states')
        .select('value')
        .where('control', '=', 'ocr')
        .where('target', '=', 'automatic')
        .executeTakeFirst();
      const automatic = (within?.value as { within: string } | null | undefined)?.within ?? null;
      const { canary_version: canary, canary_share: share } = choice;
      return {
        json: {
          active: choice.active_version,
          activated_at: isoTime(choice.activated_at),
          known_good: choice.known_good_version,
          canary: canary === null ? null : { version: canary, share },
          automatic_within: automatic,
          rollback_to: choice.rollback_to,
          versions,
        },
        text: [
          textTable(
            ['number', 'is', 'reads', 'differs in', 'gates', 'trials', 'compared', 'added', 'by', 'why'],
            versions.map((one) => [
              one.version,
              one.role.replace('_', ' '),
              one.share === null ? '' : percent(one.share),
              assignments(one.parameters).join(' '),
              assignments(one.gates).join(' '),
              one.trials,
              one.compared,
              one.added_at,
              one.added_by,
              one.reason,
            ]),
          ),
          '',
          rollbackLine(choice),
          automatic === null
            ? 'None begins by itself.'
            : `One begins by itself where a rollback threshold is crossed within ${automatic} after an activation; the last was at ${isoTime(choice.activated_at)}.`,
        ].join('\n'),
      };
    }),
});

/** Where a rollback would go: back from the canary, where there is one, else to the known good one. */
function rollbackLine(choice: {
  active_version: number;
  canary_version: number | null;
  known_good_version: number;
  rollback_to: number | null;
}): string {
  const {
    active_version: active,
    canary_version: canary,
    known_good_version: good,
    rollback_to: to,
  } = choice;
  if (to !== null) return `A rollback to ${to} is under way: docket rollback list`;
  if (canary !== null)
    return `A rollback ends the canary, and ${active} reads all: docket rollback --reason '...'`;
  if (good === active) return 'No other one is known to be good: there is nothing to roll back to.';
  return `A rollback goes to ${good}: docket rollback --reason '...'`;
}
