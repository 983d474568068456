import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { depthLimit } from '@graphile/depth-limit';
import type { DocumentNode, GraphQLSchema, ValidationRule } from 'postgraphile/graphql';
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  Source,
  specifiedRules,
  validate,
} from 'postgraphile/graphql';
import { withCode } from '../masked-error.ts';
import { costRule } from './cost.ts';
import { knownDirectivesRule } from './known-directives.ts';
import { pageSizeRule } from './page-size.ts';

export type CheckedDocument =
  { document: DocumentNode; errors?: never } | { errors: readonly GraphQLError[]; document?: never };

/** Words, numbers and signs a query may consist of; comments and white space do not count. */
const MOST_TOKENS = 2_000;
const MOST_ALIASES = 20;
const MOST_ERRORS = 10;
/** Queries that are remembered as valid, and how long such a one may be. */
const REMEMBERED = 200;
const LONGEST_REMEMBERED = 8_192;

/** What bounds the work that checking takes comes before the rules of the language, some of which compare all with all. */
const LIMITS: readonly ValidationRule[] = [
  maxAliasesRule({
    n: MOST_ALIASES,
    propagateOnRejection: false,
    onReject: [
      (context) => {
        context?.reportError(
          new GraphQLError(`an operation takes at most ${MOST_ALIASES} aliases`, {
            extensions: { code: 'ALIASES' },
          }),
        );
      },
    ],
  }),
  depthLimit({
    maxDepth: 12,
    maxListDepth: 4,
    maxSelfReferentialDepth: 2,
    revealDetails: true,
    // As deep as the question goes that tools ask of every schema.
    maxIntrospectionDepth: 16,
    maxDepthByFieldCoordinates: { '__Type.ofType': 9 },
  }),
  knownDirectivesRule,
  pageSizeRule,
  costRule,
];

/** Parses and checks queries against a schema and the limits, and remembers those that were valid. */
export function createDocumentCheck(
  schema: GraphQLSchema,
  options: { introspection: boolean },
): (query: string) => CheckedDocument {
  const rules = options.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const valid = new Map<string, DocumentNode>();

  function check(query: string): CheckedDocument {
    let document: DocumentNode;
    try {
      document = parse(new Source(query, 'query'), { maxLexicalTokens: MOST_TOKENS });
    } catch (error) {
      return { errors: [withCode(error as GraphQLError, 'BAD_REQUEST')] };
    }
    for (const some of [LIMITS, rules]) {
      const errors = validate(schema, document, some, { maxErrors: MOST_ERRORS });
      if (errors.length === 0) continue;
      const said = options.introspection ? errors : errors.map(withoutSuggestions);
      // Of the limits only the one on depth comes without a code.
      return { errors: said.map((error) => withCode(error, some === LIMITS ? 'DEPTH' : 'BAD_REQUEST')) };
    }
    return { document };
  }

  return (query) => {
    const known = valid.get(query);
    if (known) return { document: known };
    const checked = check(query);
    if (checked.document && query.length <= LONGEST_REMEMBERED) {
      const [oldest] = valid.keys();
      if (valid.size >= REMEMBERED && oldest !== undefined) valid.delete(oldest);
      valid.set(query, checked.document);
    }
    return checked;
  };
}

/** Where the schema is not to be asked for, it is not to be guessed either. */
function withoutSuggestions(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ Did you mean .*$/s, '');
  return message === error.message ? error : new GraphQLError(message, { nodes: error.nodes ?? null });
}
