import type pg from 'pg';
import 'postgraphile';
import { PgSimplifyInflectionPreset } from '@graphile/simplify-inflection';
import { makePgService } from 'postgraphile/adaptors/pg';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';
import type { Turns } from '../limits/turns.ts';
import { SubscriptionsPlugin } from '../subscriptions/plugin.ts';
import { fairService } from './fair-service.ts';
import { NamesPlugin } from './names.ts';
import { CursorsOnlyPlugin } from './pagination.ts';
import { SmartCommentsPlugin } from './smart-comments.ts';

/** The only schema that is looked at: what people outside operations may know. */
const SCHEMA = 'docket_api';

/** How GraphQL is made of the database: what there is, and what it is called. */
export function schemaPreset(pool: pg.Pool, turns: Turns): GraphileConfig.Preset {
  const service = makePgService({ pool, schemas: [SCHEMA], pubsub: false });
  return {
    extends: [PostGraphileAmberPreset, PgSimplifyInflectionPreset, PostGraphileConnectionFilterPreset],
    plugins: [SmartCommentsPlugin, NamesPlugin, CursorsOnlyPlugin, SubscriptionsPlugin],
    disablePlugins: [
      // The conditions of a filter hold together; whoever wants either of two values says `in`.
      'PgConnectionArgFilterLogicalOperatorsPlugin',
      // Ids of our own are keys already.
      'NodePlugin',
      // What `filter` does as well.
      'PgConditionArgumentPlugin',
      'PgConditionCustomFieldsPlugin',
      // Ways back to the root, which only make queries deeper.
      'QueryQueryPlugin',
      'MutationPayloadQueryPlugin',
      'PgMutationPayloadEdgePlugin',
      // Filters by what related rows hold: joins that no index bounds.
      'PgConnectionArgFilterBackwardRelationsPlugin',
      'PgConnectionArgFilterForwardRelationsPlugin',
    ],
    pgServices: [fairService(service, turns)],
    schema: {
      // Every change is a named function of the database.
      defaultBehavior: '-insert -update -delete',
      pgForbidSetofFunctionsToReturnNull: true,
      connectionFilterAllowedOperators: [
        'isNull',
        'equalTo',
        'in',
        'lessThan',
        'lessThanOrEqualTo',
        'greaterThan',
        'greaterThanOrEqualTo',
      ],
      connectionFilterArrays: false,
      connectionFilterComputedColumns: false,
      connectionFilterSetofFunctions: false,
    },
  };
}
