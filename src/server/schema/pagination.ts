import 'postgraphile';

/**
 * Lists are walked by cursors alone. An offset would have the database read, and throw away, as many rows as anybody asks
 * for. Lists without pages are those that are always short.
 */
export const CursorsOnlyPlugin: GraphileConfig.Plugin = {
  name: 'CursorsOnlyPlugin',
  version: '1.0.0',
  after: ['PgFirstLastBeforeAfterArgsPlugin'],
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args(args, _build, { scope }) {
        if (scope.isPgFieldConnection || scope.isPgFieldSimpleCollection) delete args['offset'];
        if (scope.isPgFieldSimpleCollection) delete args['first'];
        return args;
      },
    },
  },
};
