import { z } from 'zod';
import { orderRereadings, orderRereadingsOf } from '../../db/commands.ts';
import { actAs, AS_LOGIN } from '../acting-login.ts';
import { withDatabase } from '../database-access.ts';
import { jobArgument } from '../job-argument.ts';
import { countWorkers, NO_WORKER } from '../live-workers.ts';
import { versionArgument } from '../ocr/version-argument.ts';
import { defineVerb } from '../verb.ts';

const LIMIT = 'expected a whole number from 1 to 10000';
const MOST = 10_000;

export default defineVerb({
  usage: 'ocr reread [jobs...]',
  summary:
    'Have published documents read again, and what is read supersede what is published; the old result stays recorded.',
  options: [
    ['--version <number>', 'OCR configuration to read them by'],
    ['--of <number>', 'instead of naming documents: those that this OCR configuration read'],
    ['--limit <number>', 'of these at most so many; default: 10000'],
    ['--reason <text>', 'why, in words; it is recorded with your login, and in the timeline of each'],
    AS_LOGIN,
  ],
  input: z
    .strictObject({
      jobs: z.array(jobArgument).default([]),
      version: versionArgument,
      of: versionArgument.optional(),
      limit: z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(MOST, LIMIT).optional(),
      reason: z.string('required'),
      as: z.string().optional(),
    })
    .refine(
      ({ jobs, of }) => jobs.length > 0 !== (of !== undefined),
      'name documents, or state --of: one of them',
    )
    .refine(
      ({ of, limit }) => limit === undefined || of !== undefined,
      'documents that are named are all read: leave out --limit',
    ),
  run: ({ jobs, version, of, limit = MOST, reason, as }, { config, log, tell }) =>
    withDatabase(config, { log }, (database) =>
      actAs(database, { as, roles: ['docket_operator'] }, async (pool) => {
        const ordered =
          of === undefined
            ? await orderRereadings(pool, { jobs, version, reason })
            : await orderRereadingsOf(pool, { readBy: of, version, reason, limit });
        if (ordered.length > 0 && (await countWorkers(database.reader)) === 0) tell(NO_WORKER);
        return {
          json: { ocr_version: version, rereadings: ordered },
          text: [
            `${ordered.length} document${ordered.length === 1 ? ' is' : 's are'} to be read again by OCR configuration ${version}; what is published stays until then.`,
            ...(ordered.length === limit && of !== undefined
              ? ['There may be more: the same command goes on with them.']
              : []),
            ...(ordered.length > 0 ? ['How far it is: docket ocr rereadings'] : []),
          ].join('\n'),
        };
      }),
    ),
});
