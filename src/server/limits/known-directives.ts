import type { ValidationRule } from 'postgraphile/graphql';
import { GraphQLError } from 'postgraphile/graphql';

const ALLOWED = new Set(['skip', 'include']);
const MOST_A_PLACE = 3;

/** Answers come whole: directives that would deliver them in parts, or that nobody knows, are refused. */
export const knownDirectivesRule: ValidationRule = (context) => ({
  Directive(node) {
    if (ALLOWED.has(node.name.value)) return;
    context.reportError(
      new GraphQLError(`the directive "@${node.name.value}" is not served`, {
        nodes: node,
        extensions: { code: 'DIRECTIVE' },
      }),
    );
  },
  Field(node) {
    if ((node.directives?.length ?? 0) <= MOST_A_PLACE) return;
    context.reportError(
      new GraphQLError('too many directives on one field', {
        nodes: node,
        extensions: { code: 'DIRECTIVE' },
      }),
    );
  },
});
