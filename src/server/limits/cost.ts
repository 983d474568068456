import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
  ValidationRule,
} from 'postgraphile/graphql';
import {
  getNamedType,
  GraphQLError,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'postgraphile/graphql';
import { LARGEST_PAGE } from './page-size.ts';

/** About as many values as an answer may hold. */
const HIGHEST_COST = 20_000;
/** What a value costs that is larger than others, or dearer to find; the others cost 1. */
const COSTS: Readonly<Record<string, number>> = {
  text: 10,
  words: 20,
  masks: 10,
  boxes: 5,
  snippet: 2,
  totalCount: 50,
  search: 50,
};

/**
 * Refuses operations whose answer could be too large: every field costs, and what stands below a page of a list costs as
 * often as the page is long.
 */
export const costRule: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    const root = context.getSchema().getRootType(operation.operation);
    if (!root) return;
    const cost = createMeter(context.getSchema(), (name) => context.getFragment(name))(
      operation.selectionSet,
      root,
    );
    if (cost <= HIGHEST_COST) return;
    context.reportError(
      new GraphQLError(
        `the operation could cost ${cost}, more than ${HIGHEST_COST}: ask for fewer fields or shorter pages`,
        {
          nodes: operation,
          extensions: { code: 'COST' },
        },
      ),
    );
  },
});

function createMeter(
  schema: GraphQLSchema,
  fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
): (selections: SelectionSetNode, parent: GraphQLOutputType) => number {
  /** What fragments cost, so that one spread a thousand times is measured once. */
  const fragments = new Map<string, number>();

  function selectionCost({ selections }: SelectionSetNode, parent: GraphQLOutputType): number {
    let sum = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) sum += fieldCost(selection, parent);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) sum += fragmentCost(selection.name.value);
      else
        sum += selectionCost(selection.selectionSet, typeOf(selection.typeCondition?.name.value) ?? parent);
    }
    return sum;
  }

  function fragmentCost(name: string): number {
    const known = fragments.get(name);
    const fragment = fragmentOf(name);
    if (known !== undefined || !fragment) return known ?? 0;
    // One that contains itself is refused by another rule.
    fragments.set(name, 0);
    const cost = selectionCost(
      fragment.selectionSet,
      typeOf(fragment.typeCondition.name.value) ?? schemaRoot(),
    );
    fragments.set(name, cost);
    return cost;
  }

  function fieldCost(node: FieldNode, parent: GraphQLOutputType): number {
    const name = node.name.value;
    const own = COSTS[name] ?? 1;
    if (!node.selectionSet || name.startsWith('__')) return own;
    const type = getNamedType(parent);
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
    if (!field) return own;
    return own + timesOf(node, field.type) * selectionCost(node.selectionSet, field.type);
  }

  function typeOf(name: string | undefined): GraphQLOutputType | undefined {
    const type = name === undefined ? undefined : schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type : undefined;
  }

  function schemaRoot(): GraphQLOutputType {
    const root = schema.getQueryType();
    if (!root) throw new Error('a schema without queries');
    return root;
  }
  return selectionCost;
}

/** How often what stands below a field may come: as often as its page is long; a list without pages is short. */
function timesOf(node: FieldNode, type: GraphQLOutputType): number {
  const size = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
  if (size !== undefined) return size.kind === Kind.INT ? Number(size.value) : LARGEST_PAGE;
  return isListType(isNonNullType(type) ? type.ofType : type) && !isPageContent(node) ? SHORT_LIST : 1;
}

const SHORT_LIST = 10;

/** `nodes` and `edges` are as long as the page they are part of. */
function isPageContent(node: FieldNode): boolean {
  return node.name.value === 'nodes' || node.name.value === 'edges';
}
