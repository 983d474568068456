import { sealingFindings, signingFindings } from '../doctor/signing.ts';
import { haltWords } from '../halted-controls.ts';
import { outageWords } from '../open-outages.ts';
import { alertTroubles } from './open-alerts.ts';
import { rollbackTroubles } from './ocr-standing.ts';
import { lateTroubles } from './service-levels.ts';
import type { StatusFacts } from './status-facts.ts';
import { dutyTroubles } from './stuck-duties.ts';
import type { Trouble } from './trouble.ts';
import { worstTroubles } from './trouble.ts';

/** What of the facts is wrong, the worst first. What is seen now goes before what an alert says of it. */
export function statusTroubles(facts: StatusFacts): Trouble[] {
  return worstTroubles([
    ...rollbackTroubles(facts.ocr),
    ...workerTroubles(facts),
    ...outageTroubles(facts),
    ...haltTroubles(facts),
    ...lateTroubles(facts.levels),
    ...disputeTroubles(facts),
    ...logTroubles(facts),
    ...dutyTroubles(facts.duties),
    ...quarantineTroubles(facts),
    ...alertTroubles(facts.alerts),
  ]);
}

/** Without a worker nothing goes on, and nobody opens alerts. */
export function workerTroubles({
  workers,
  levels,
}: Pick<StatusFacts, 'workers'> & {
  levels: { ages: readonly { oldest_at: string; oldest_seconds: number }[] };
}): Trouble[] {
  if (workers.length > 0) return [];
  const [oldest] = [...levels.ages].sort((one, other) => other.oldest_seconds - one.oldest_seconds);
  return [
    {
      severity: oldest ? 'alert' : 'warning',
      subject: 'workers',
      what: `No worker is at work: ${oldest ? 'what was delivered waits' : 'what is delivered will wait'}, nothing is sealed, and nobody opens alerts.`,
      since: oldest?.oldest_at ?? null,
      seconds: oldest?.oldest_seconds ?? null,
      next_command: 'docket worker, or docket up',
    },
  ];
}

/** What the work depends on and is down. */
export function outageTroubles({ outages, at }: Pick<StatusFacts, 'outages' | 'at'>): Trouble[] {
  return outages.map((outage) => ({
    severity: 'alert',
    subject: `outage:${outage.dependency}@${outage.host}`,
    what: outageWords(outage),
    since: outage.since,
    seconds: secondsBetween(outage.since, at),
    next_command: `on ${outage.host}: docket doctor`,
  }));
}

/** What somebody halted; not what a rollback closed, which opens it again. */
export function haltTroubles({ halted, ocr, at }: Pick<StatusFacts, 'halted' | 'ocr' | 'at'>): Trouble[] {
  return halted
    .filter(({ control, target, change }) => {
      const isOfRollback =
        control === 'admission' && target === 'all' && change === ocr.rollback?.closing_change;
      return !isOfRollback || change === null;
    })
    .map((one) => ({
      severity: stopsAll(one) ? 'alert' : 'warning',
      subject: `${one.control}:${one.target}`,
      what: haltWords(one),
      since: one.changed_at,
      seconds: one.changed_at === null ? null : secondsBetween(one.changed_at, at),
      next_command: one.next_command,
    }));
}

function stopsAll({ control, target }: { control: string; target: string }): boolean {
  return control === 'pool' ? target !== 'audit' : target === 'all';
}

function disputeTroubles({ disputed }: StatusFacts): Trouble[] {
  const { documents, since, seconds } = disputed;
  if (documents === 0) return [];
  return [
    {
      severity: 'alert',
      subject: 'disputed',
      what: `Disputed, as their newest replay failed: ${documents}. Something about them is not what the log says.`,
      since,
      seconds,
      next_command: 'docket replay list',
    },
  ];
}

/** What is not sealed, not signed, or nowhere else. */
function logTroubles({ sealing, signing, places, checkpointSeconds, at }: StatusFacts): Trouble[] {
  const findings = [
    ...sealingFindings(sealing).map((finding) => ({
      finding,
      seconds: sealing.unsealed_seconds,
    })),
    ...signingFindings(signing, { checkpointSeconds }).map((finding) => ({
      finding,
      seconds: signing.unsignedSeconds,
    })),
  ];
  const kept = places.filter(({ size }) => size !== null);
  return [
    ...findings.map(({ finding, seconds }, number): Trouble => ({
      severity: 'alert',
      subject: `sealing:${number}`,
      what: `${sentence(finding.what)} ${sentence(finding.consequence)}`,
      since: seconds === null ? null : before(at, seconds),
      seconds,
      next_command: finding.remedy ?? 'docket doctor',
    })),
    ...(kept.length > 0 || signing.signed === null
      ? []
      : [
          {
            severity: 'warning' as const,
            subject: 'checkpoints',
            what: 'Checkpoints are signed, and no copy of one is kept outside the database: whoever owns it can rewrite all of it unseen.',
            since: null,
            seconds: null,
            next_command: 'docket checkpoint show > FILE, kept elsewhere; see docket doctor',
          },
        ]),
  ];
}

function quarantineTroubles({ quarantined }: StatusFacts): Trouble[] {
  const grown = quarantined.filter(({ last_hour }) => last_hour > 0);
  const documents = grown.reduce((sum, { last_hour }) => sum + last_hour, 0);
  if (documents === 0) return [];
  const codes = [...grown].sort((one, other) => other.last_hour - one.last_hour);
  const named = codes.slice(0, 3).map(({ code, last_hour }) => `${last_hour} for ${code ?? 'no code'}`);
  return [
    {
      severity: 'notice',
      subject: 'quarantine',
      what:
        `${documents} ${documents === 1 ? 'document was' : 'documents were'} quarantined within the last hour: ` +
        `${named.join(', ')}${codes.length > 3 ? ', and more' : ''}.`,
      since: null,
      seconds: null,
      next_command: 'docket quarantine list',
    },
  ];
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

function secondsBetween(since: string, at: string): number {
  return (Date.parse(at) - Date.parse(since)) / 1000;
}

function before(at: string, seconds: number): string {
  return new Date(Date.parse(at) - seconds * 1000).toISOString();
}
