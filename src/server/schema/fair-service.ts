import 'postgraphile';
import type { Turns } from '../limits/turns.ts';

/** The database as PostGraphile asks it, with a turn taken for every transaction of somebody who bears a token. */
export function fairService(
  service: GraphileConfig.PgServiceConfiguration,
  turns: Turns,
): GraphileConfig.PgServiceConfiguration {
  const { adaptor } = service;
  return {
    ...service,
    adaptor: {
      ...adaptor,
      async createWithPgClient(settings, variant) {
        const withPgClient = await adaptor.createWithPgClient(settings, variant);
        const inTurn: typeof withPgClient = (pgSettings, callback) => {
          const subject = subjectOf(pgSettings);
          if (subject === undefined) return withPgClient(pgSettings, callback);
          return turns.take(subject, async () => withPgClient(pgSettings, callback));
        };
        if (withPgClient.release) inTurn.release = withPgClient.release;
        return inTurn;
      },
    },
  };
}

/** Whom a transaction is for; nobody, where the schema is looked at. */
function subjectOf(settings: Readonly<Record<string, string | undefined>> | null): string | undefined {
  const claims = settings?.['docket.claims'];
  return claims === undefined ? undefined : (JSON.parse(claims) as { sub: string }).sub;
}
