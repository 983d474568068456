import 'postgraphile';

/**
 * Lets comments of the database say first what a thing is, and below it, in lines that begin with @, how GraphQL is to show
 * it: PostGraphile itself looks for such lines at the beginning only.
 */
export const SmartCommentsPlugin: GraphileConfig.Plugin = {
  name: 'SmartCommentsPlugin',
  version: '1.0.0',
  before: ['PgFakeConstraintsPlugin', 'PgEnumTablesPlugin'],
  gather: {
    hooks: {
      pgIntrospection_introspection(_info, { introspection }) {
        for (const comment of introspection.descriptions) {
          comment.description = tagsFirst(comment.description);
        }
      },
    },
  },
};

/** The lines that begin with @ before the others, each kind in its order. */
export function tagsFirst(comment: string): string {
  const lines = comment.split('\n');
  const isTag = (line: string) => /^@[a-z]/i.test(line);
  return [...lines.filter(isTag), ...lines.filter((line) => !isTag(line))].join('\n');
}
