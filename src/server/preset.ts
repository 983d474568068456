import type pg from 'pg';
import { OperationTypeNode } from 'postgraphile/graphql';
import type { Log } from '../log.ts';
import { settingsOf } from './claims.ts';
import { executionPlugin, kindOf } from './execution.ts';
import { GRAPHQL_PATH } from './http/graphql-route.ts';
import { tokenInvalid } from './identity.ts';
import type { Turns } from './limits/turns.ts';
import { createErrorMask } from './masked-error.ts';
import { schemaPreset } from './schema/preset.ts';
import type { Watches } from './subscriptions/watches.ts';

const PLAN_WITHIN_MS = 500;
const ANSWER_WITHIN_MS = 10_000;

/** How GraphQL is served: the schema, and how operations are run as whoever asks. */
export function serverPreset(options: {
  pool: pg.Pool;
  turns: Turns;
  watches: Watches;
  introspection: boolean;
  ide: boolean;
  log: Log;
}): GraphileConfig.Preset {
  const { pool, turns, watches, introspection, ide, log } = options;
  return {
    extends: [schemaPreset(pool, turns)],
    plugins: [executionPlugin({ introspection })],
    grafast: {
      timeouts: { planning: PLAN_WITHIN_MS, execution: ANSWER_WITHIN_MS },
      context({ identity }, args) {
        if (!identity) throw tokenInvalid();
        return {
          pgSettings: settingsOf(identity, { readOnly: kindOf(args) !== OperationTypeNode.MUTATION }),
          watch: watches.of(identity),
        };
      },
    },
    grafserv: {
      graphqlPath: GRAPHQL_PATH,
      graphiql: ide,
      graphiqlOnGraphQLGET: false,
      websockets: false,
      allowedRequestContentTypes: ['application/json'],
      maskError: createErrorMask(log),
    },
  };
}
