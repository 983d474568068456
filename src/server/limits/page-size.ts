import type { FieldNode, ValidationContext, ValidationRule } from 'postgraphile/graphql';
import { GraphQLError, Kind } from 'postgraphile/graphql';

/** The most that one list may be asked for at once. */
export const LARGEST_PAGE = 100;

/**
 * Asks of every field that is a list in pages how long the page is to be: a number written in the query itself, so that
 * what an operation may cost is known before it runs.
 */
export const pageSizeRule: ValidationRule = (context) => ({
  Field(node) {
    if (!isPaged(context)) return;
    const sizes = (node.arguments ?? []).filter(
      ({ name }) => name.value === 'first' || name.value === 'last',
    );
    const problem = sizes.length === 1 ? sizeProblem(sizes[0]?.value) : 'takes either first or last';
    if (problem !== undefined) context.reportError(pageSizeError(node, problem));
  },
});

function isPaged(context: ValidationContext): boolean {
  return context.getFieldDef()?.args.some(({ name }) => name === 'first') ?? false;
}

function sizeProblem(
  value: NonNullable<FieldNode['arguments']>[number]['value'] | undefined,
): string | undefined {
  if (value?.kind !== Kind.INT)
    return 'takes first or last as a number written in the query, not as a variable';
  const size = Number(value.value);
  return size >= 0 && size <= LARGEST_PAGE
    ? undefined
    : `takes none or more, and at most ${LARGEST_PAGE} at once`;
}

function pageSizeError(node: FieldNode, problem: string): GraphQLError {
  return new GraphQLError(`"${node.name.value}" ${problem}: ${node.name.value}(first: 20)`, {
    nodes: node,
    extensions: { code: 'PAGE_SIZE' },
  });
}
