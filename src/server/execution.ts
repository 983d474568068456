import type { GrafastExecutionArgs } from 'postgraphile/grafast';
import { execute, subscribe } from 'postgraphile/grafast';
import type { ExecutionArgs, GraphQLSchema } from 'postgraphile/graphql';
import { getOperationAST, GraphQLError, OperationTypeNode } from 'postgraphile/graphql';
import type { GrafservBase } from 'postgraphile/grafserv';
import { createDocumentCheck } from './limits/check-document.ts';

/**
 * How operations are checked and run: with our own limits, whichever way they came. Over HTTP one question has one answer,
 * so that subscriptions are refused there.
 */
export function executionPlugin(options: { introspection: boolean }): GraphileConfig.Plugin {
  return {
    name: 'ExecutionPlugin',
    version: '1.0.0',
    grafserv: {
      middleware: {
        setPreset(next, event) {
          let known:
            { schema: GraphQLSchema; parseAndValidate: ReturnType<typeof createDocumentCheck> } | undefined;
          event.getExecutionConfig = async function getExecutionConfig(this: GrafservBase) {
            const schema = await this.getSchema();
            if (known?.schema !== schema) {
              known = { schema, parseAndValidate: createDocumentCheck(schema, options) };
            }
            return {
              schema,
              parseAndValidate: known.parseAndValidate,
              resolvedPreset: this.getPreset(),
              execute: executeOnce,
              subscribe: (args: GrafastExecutionArgs) => subscribe(args),
              contextValue: {},
            };
          };
          return next();
        },
      },
    },
  };
}

/** One question has one answer here. */
function executeOnce(args: GrafastExecutionArgs) {
  if (kindOf(args) !== OperationTypeNode.SUBSCRIPTION) return execute(args);
  const refused = new GraphQLError('subscriptions are served over a WebSocket', {
    extensions: { code: 'REFUSED' },
  });
  return { errors: [refused] };
}

/** Whether an operation is a query, a mutation or a subscription; undefined where it cannot be told which is meant. */
export function kindOf({
  document,
  operationName,
}: Pick<ExecutionArgs, 'document' | 'operationName'>): OperationTypeNode | undefined {
  return getOperationAST(document, operationName)?.operation;
}
