import type pg from 'pg';
import 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PgSimplifyInflectionPreset } from '@graphile/simplify-inflection';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';
import { settingsOf } from './claims.ts';
import { tokenInvalid } from './identity.ts';

/** The only schema that is seen: what people outside operations may know. */
const SCHEMA = 'docket_api';

/** How GraphQL is made of the schema, and run. */
export function createPreset({ pool }: { pool: pg.Pool }): GraphileConfig.Preset {
  return {
    extends: [PostGraphileAmberPreset, PgSimplifyInflectionPreset, PostGraphileConnectionFilterPreset],
    disablePlugins: ['NodePlugin'],
    pgServices: [makePgService({ pool, schemas: [SCHEMA], pubsub: false })],
    grafast: {
      timeouts: { planning: 500, execution: 10_000 },
      context({ identity }) {
        if (!identity) throw tokenInvalid();
        return { pgSettings: settingsOf(identity) };
      },
    },
    grafserv: {
      graphiql: false,
      graphiqlOnGraphQLGET: false,
      websockets: false,
      allowedRequestContentTypes: ['application/json'],
    },
  };
}
