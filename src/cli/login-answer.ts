import type { Answer } from './answer.ts';
import type { DatabaseAccess } from './database-access.ts';

/** Whether senders come over a network: to an embedded server without a port they come by its private socket. */
export function needsPassword({ config, cluster }: DatabaseAccess): boolean {
  return cluster === undefined || config.pgPort !== undefined;
}

/** Tells of a sender's or reader's login, its new password included: the only time it is shown. */
export function tellLogin(
  { cluster, config }: DatabaseAccess,
  facts: {
    source: string;
    login: string;
    created: boolean;
    password: string | null;
    removed?: readonly string[];
    mayDeliver?: boolean;
  },
): Answer {
  const { source, login, created, password, removed = [], mayDeliver = true } = facts;
  const url =
    cluster === undefined
      ? null
      : password !== null && config.pgPort !== undefined
        ? `postgres://${encodeURIComponent(login)}:${password}@127.0.0.1:${config.pgPort}/docket`
        : cluster.url(login);
  const lines = [
    `"${login}"${created ? ', newly made,' : ''} ${mayDeliver ? 'delivers for' : 'reads what is visible to'} ${source}.`,
    ...removed.map((one) => `"${one}" no longer does.`),
    ...(password === null ? [] : [`password, shown this once: ${password}`]),
    ...(url === null ? [] : [`connect: ${url}`]),
  ];
  return {
    json: { source, login, may_deliver: mayDeliver, created, password, removed, url },
    text: lines.join('\n'),
  };
}
