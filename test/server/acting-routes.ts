import assert from 'node:assert/strict';
import { toDocketError } from '../../src/cli/cli-error.ts';
import type { CliContext, Verb } from '../../src/cli/verb.ts';
import holdLift from '../../src/cli/verbs/hold-lift.ts';
import holdPlace from '../../src/cli/verbs/hold-place.ts';
import quarantineApproveDisposal from '../../src/cli/verbs/quarantine-approve-disposal.ts';
import quarantineRelease from '../../src/cli/verbs/quarantine-release.ts';
import quarantineRequestDisposal from '../../src/cli/verbs/quarantine-request-disposal.ts';
import quarantineWithdrawDisposal from '../../src/cli/verbs/quarantine-withdraw-disposal.ts';
import { loadConfig } from '../../src/config.ts';
import { fromDatabase } from '../../src/db/errors.ts';
import { createLog } from '../../src/log.ts';
import type { TestDatabase } from '../support/database.ts';
import type { ServerFixture } from './server-fixture.ts';

/** What evidence owners do to a document, as SQL, the command line and GraphQL call it. */
export const ACTS = {
  release: {
    sql: 'release_quarantined',
    api: 'release_from_quarantine',
    verb: quarantineRelease,
    mutation: 'releaseFromQuarantine',
  },
  request: {
    sql: 'request_disposal',
    api: 'request_disposal',
    verb: quarantineRequestDisposal,
    mutation: 'requestDisposal',
  },
  approve: {
    sql: 'approve_disposal',
    api: 'approve_disposal',
    verb: quarantineApproveDisposal,
    mutation: 'approveDisposal',
  },
  withdraw: {
    sql: 'withdraw_disposal',
    api: 'withdraw_disposal',
    verb: quarantineWithdrawDisposal,
    mutation: 'withdrawDisposal',
  },
  place: { sql: 'place_hold', api: 'place_hold', verb: holdPlace, mutation: 'placeHold' },
  lift: { sql: 'lift_hold', api: 'lift_hold', verb: holdLift, mutation: 'liftHold' },
} as const satisfies Record<string, { sql: string; api: string; verb: Verb; mutation: string }>;
export type ActName = keyof typeof ACTS;

/** Who acts: a login of this name in the group, or a token with this subject and role. */
export interface Person {
  readonly name: string;
  readonly group: string;
}

/** Does something to a document, and says how that ended: done, denied, or the code of the refusal. */
export type Route = (person: Person, act: ActName, job: string) => Promise<string>;

const MATTER = 'claim 4711';
const REASON = 'to see who may';

const argumentsOf = (act: ActName, job: string): unknown[] =>
  act === 'place' || act === 'lift' ? [[job], MATTER, REASON] : [[job], REASON];

/** The ways on which a person can act. */
export function actingRoutes(database: TestDatabase, server: ServerFixture): Readonly<Record<string, Route>> {
  async function call(person: Person, name: string, values: unknown[]): Promise<string> {
    const places = values.map((_, at) => `$${at + 1}`).join(', ');
    const pool = database.pool(person.name);
    return pool.query(`select from ${name}(${places})`, values).then(
      () => 'done',
      (error: unknown) => ending(fromDatabase(error).code),
    );
  }
  return {
    SQL: (person, act, job) => call(person, `docket.${ACTS[act].sql}`, argumentsOf(act, job)),
    'SQL of docket_api': (person, act, job) =>
      call(person, `docket_api.${ACTS[act].api}`, argumentsOf(act, job)),
    async 'command line'(person, act, job) {
      const [jobs, ...texts] = argumentsOf(act, job);
      const given = { jobs, reason: texts.at(-1), ...(texts.length > 1 && { matter: texts[0] }) };
      const config = loadConfig({ DOCKET_DATABASE_URL: database.url(person.name) });
      return ACTS[act].verb.perform(given, contextOf(config)).then(
        () => 'done',
        (error: unknown) => ending(toDocketError(error).code),
      );
    },
    async GraphQL(person, act, job) {
      const [documentIds, ...texts] = argumentsOf(act, job);
      const input = { documentIds, reason: texts.at(-1), ...(texts.length > 1 && { matter: texts[0] }) };
      const { mutation } = ACTS[act];
      const type = `${mutation.slice(0, 1).toUpperCase()}${mutation.slice(1)}Input`;
      const answer = await server.ask(
        { role: person.group.replace('docket_', ''), sources: ['*'], subject: person.name },
        `mutation ($input: ${type}!) { ${mutation}(input: $input) { clientMutationId } }`,
        { input },
      );
      if (answer.errors === undefined) return 'done';
      const code = answer.errors[0]?.extensions?.code;
      assert.ok(code !== undefined, answer.body);
      return ending(code);
    },
  };
}

function ending(code: string): string {
  return /^(DATABASE|PERMISSION)_DENIED$/.test(code) ? 'denied' : code;
}

function contextOf(config: ReturnType<typeof loadConfig>): CliContext {
  return {
    config,
    log: createLog({ level: 'silent' }),
    json: true,
    live: false,
    interrupted: new AbortController().signal,
    answer: () => Promise.resolve(),
    tell: () => undefined,
  };
}
