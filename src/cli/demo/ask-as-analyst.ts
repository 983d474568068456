import type { Config } from '../../config.ts';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { openLocalKey } from '../../server/local-key.ts';
import { printable } from '../printable.ts';
import { withServer } from '../server-run.ts';
import type { DemoOutcome } from './demo-outcomes.ts';

/** A document as an analyst is shown it. */
export interface AnalystView {
  readonly document: DemoOutcome;
  readonly ruleSet: string;
  /** What can be said of its signatures. */
  readonly statement: string;
  /** Of its first page. */
  readonly text: string;
  /** Kinds of what is masked there, one for each mask. */
  readonly masked: readonly string[];
}

interface Page {
  text: string;
  masks: { reason: string; length: number }[];
  ruleSet: { name: string };
}

interface Shown {
  statement: string;
  pages: { nodes: Page[] };
}

const QUERY = `query ($id: UUID!) {
  document(documentId: $id) {
    statement
    pages(first: 1) { nodes { text masks ruleSet { name } } }
  }
}`;

const LINES = 24;

/**
 * Serves the demo's GraphQL API for a moment, on any free port, and asks it for each published document as an analyst of its
 * source. Gives the one on which most is masked; undefined where nothing is published.
 */
export async function askAsAnalyst(
  config: Config,
  outcomes: readonly DemoOutcome[],
  log: Log,
): Promise<AnalystView | undefined> {
  const published = outcomes.filter((one) => one.state === 'published' && one.duplicateOf === null);
  const views: AnalystView[] = [];
  if (published.length === 0) return undefined;
  const options = { log, embedded: true, ownFolder: true, tell: () => undefined };
  await withServer(config, options, async ({ url }) => {
    for (const document of published) {
      const shown = await ask(url, await tokenFor(config, document.sourceId), document.jobId);
      const page = shown?.pages.nodes[0];
      if (!page) continue;
      const masked = page.masks.filter((mask) => mask.length > 0).map((mask) => mask.reason);
      views.push({
        document,
        statement: shown.statement,
        ruleSet: page.ruleSet.name,
        text: page.text,
        masked,
      });
    }
  });
  return views.sort((a, b) => b.masked.length - a.masked.length)[0];
}

/** What an analyst sees, as the demo shows it. */
export function analystLines({ document, statement, ruleSet, text, masked }: AnalystView): string {
  const lines = printable(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const kinds = Object.entries(Object.groupBy(masked, (kind) => kind)).map(
    ([kind, all]) => `${kind} ${all?.length ?? 0}`,
  );
  return [
    `${document.file}, as GraphQL shows it to an analyst of ${document.sourceId}:`,
    '',
    `  ${printable(statement)}`,
    '',
    ...lines.slice(0, LINES).map((line) => `  │ ${line}`),
    ...(lines.length > LINES ? [`  │ … ${lines.length - LINES} more lines`] : []),
    '',
    `Masked by the rules "${ruleSet}": ${kinds.join(', ') || 'nothing'}.`,
  ].join('\n');
}

async function tokenFor(config: Config, sourceId: string): Promise<string> {
  const { token } = await (
    await openLocalKey(config.dataDir)
  ).sign({
    subject: 'demo',
    role: 'analyst',
    sources: [sourceId],
    hours: 1,
    audience: config.tokenAudience,
    issuer: config.tokenIssuer,
  });
  return token;
}

async function ask(url: string, token: string, id: string): Promise<Shown | undefined> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: QUERY, variables: { id } }),
  });
  const { data, errors } = (await response.json()) as {
    data?: { document: Shown | null };
    errors?: { message: string }[];
  };
  if (errors) throw new DocketError('INTERNAL_ERROR', `GraphQL answered: ${errors[0]?.message ?? ''}`);
  return data?.document ?? undefined;
}
