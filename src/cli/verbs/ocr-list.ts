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
          choice.rollback_to !== null
            ? `A rollback to ${String(choice.rollback_to)} is under way: docket rollback list`
            : choice.known_good_version === choice.active_version
              ? 'No other one is known to be good: there is nothing to roll back to.'
              : `A rollback goes to ${String(choice.known_good_version)}: docket rollback --reason '...'`,
          automatic === null
            ? 'None begins by itself.'
            : `One begins by itself where a rollback threshold is crossed within ${automatic} after an activation; the last was at ${isoTime(choice.activated_at)}.`,
        ].join('\n'),
      };
    }),
});
