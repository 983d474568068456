import 'postgraphile';
import { context, lambda, listen } from 'postgraphile/grafast';
import { extendSchema, gql } from 'postgraphile/utils';
import type { Topic, Watch } from './watches.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Grafast is told of what the context carries
  namespace Grafast {
    interface Context {
      /** What can be watched by whom the operation is for. */
      watch: Watch;
    }
  }
}

/** Adds the subscriptions. Each event has its fields read anew, as by a query of the same person. */
export const SubscriptionsPlugin: GraphileConfig.Plugin = extendSchema((build) => {
  const { documents, queue_ages: queueAges } = build.pgResources;
  if (!documents || !queueAges) throw new Error('docket_api has no documents, or no queue_ages');
  const watch = () => context().get('watch');
  return {
    typeDefs: gql`
      extend type Subscription {
        """
        A document: at once, and whenever it changed, at most once a second. Null while there is none that you may see.
        """
        documentChanged(documentId: UUID!): Document
        """
        The ages of the queue: at once, and whenever they changed, at most once a second.
        """
        queueAgesChanged: [QueueAge!]
      }
    `,
    objects: {
      Subscription: {
        plans: {
          documentChanged: {
            subscribePlan: (_$root, args) =>
              listen(watch(), lambda(args.getRaw('documentId'), documentTopic)),
            plan: (_$event, args) => documents.get({ document_id: args.getRaw('documentId') }),
          },
          queueAgesChanged: {
            subscribePlan: () => listen(watch(), 'queue_ages'),
            plan: () => queueAges.execute([]),
          },
        },
      },
    },
  };
});

const documentTopic = (id: unknown): Topic => `document:${String(id)}`;
