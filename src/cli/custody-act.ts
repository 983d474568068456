import type pg from 'pg';
import type { ZodType } from 'zod';
import { z } from 'zod';
import type { ActingRole } from './acting-login.ts';
import { actAs, AS_LOGIN } from './acting-login.ts';
import { withDatabase } from './database-access.ts';
import { jobArgument } from './job-argument.ts';
import type { Verb } from './verb.ts';
import { defineVerb } from './verb.ts';

/** What every act upon documents takes: which, why, and who acts. */
interface Act {
  readonly jobs: readonly string[];
  readonly reason: string;
  readonly as?: string | undefined;
}

const act = {
  jobs: z.array(jobArgument).min(1),
  reason: z.string('required'),
  as: z.string().optional(),
};

/**
 * A verb by which an evidence owner, or whoever `role` names, does the same to one document or several, to all of them or to
 * none. `act` does it, and answers what became of each; `told` says so to a person.
 */
export function defineCustodyAct<More, Done extends { readonly job_id: string }>(verb: {
  usage: string;
  summary: string;
  options?: readonly (readonly [flags: string, meaning: string])[];
  /** Options beside those of every act. */
  more: { readonly [Name in keyof More]: ZodType<More[Name]> };
  act: (pool: pg.Pool, input: Act & More) => Promise<readonly Done[]>;
  told: (done: Done) => string;
  /** Who may. Default docket_evidence_owner. */
  role?: ActingRole;
}): Verb {
  const { role = 'docket_evidence_owner' } = verb;
  return defineVerb({
    usage: `${verb.usage} <jobs...>`,
    summary: verb.summary,
    options: [
      ...(verb.options ?? []),
      ['--reason <text>', 'why, in words; it is recorded with your login'],
      AS_LOGIN,
    ],
    input: z.strictObject({ ...act, ...verb.more }) as unknown as ZodType<Act & More>,
    run: (given, { config, log }) =>
      withDatabase(config, { log }, (database) =>
        actAs(database, { as: given.as, roles: [role] }, async (pool) => {
          const documents = await verb.act(pool, given);
          return { json: { documents }, text: documents.map(verb.told).join('\n') };
        }),
      ),
  });
}
