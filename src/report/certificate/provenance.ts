import { inWords } from '../in-words.ts';
import { formatBytes, formatCount, formatPercent, formatTime } from '../measures.ts';
import type { CertificateFacts, ReadingFacts } from './facts.ts';

/** A fact with its name, as a line of the certificate. */
export interface NamedFact {
  readonly name: string;
  readonly value: string;
  /** How it is known, or what it does not say. */
  readonly how: string;
}

/** What Docket itself saw or recomputed, and how. */
export function checkedFacts(facts: CertificateFacts): NamedFact[] {
  const { reading, checkpoint, replay, timeline } = facts;
  const included = checkpoint?.includedEvents ?? 0;
  return [
    {
      name: 'Bytes',
      value: `${formatBytes(facts.sizeBytes)}, ${facts.mediaType}`,
      how: `Counted, recognised and hashed on ${utc(facts.verifiedAt)}; the hash was the one that the sender had stated.`,
    },
    ...facts.signatures.map((signature, at) => ({
      name: facts.signatures.length > 1 ? `Signature ${at + 1}` : 'Signature',
      value: `${inWords(signature.status)}, over ${inWords(signature.coverage ?? 'an unknown part')}`,
      how:
        `${signature.meaning} Made in the form ${signature.format} (${signature.place}); judged for ${utc(signature.judgedAt)}` +
        (signature.anchor === null ? '.' : ` against the anchor “${signature.anchor}”.`),
    })),
    ...(reading === undefined
      ? []
      : [
          {
            name: 'Text',
            value: `${formatCount(reading.pages, 'page')}, ${formatCount(reading.characters, 'character')}`,
            how: `Its salted hash was recomputed for this certificate. Mean confidence of the recognition: ${formatPercent(reading.confidence)}.${superseding(reading)}`,
          },
        ]),
    {
      name: 'History',
      value: formatCount(timeline.length, 'event'),
      how: 'Each hash was recomputed for this certificate, and each event names the hash of the one before.',
    },
    {
      name: 'Log',
      value:
        checkpoint === undefined
          ? 'no checkpoint yet'
          : `${included} of ${formatCount(timeline.length, 'event')} under checkpoint ${checkpoint.size}`,
      how: sealing(included, timeline.length),
    },
    {
      name: 'Replay',
      value: replay === undefined ? 'none yet' : `${replay.outcome} on ${utc(replay.at)}`,
      how: replaying(replay),
    },
  ];
}

/** What is only known from senders. */
export function statedFacts({ deliveries }: CertificateFacts): NamedFact[] {
  return deliveries.flatMap((delivery, at) => {
    const nth = deliveries.length > 1 ? `, delivery ${at + 1}` : '';
    const optional = (name: string, value: string | null) =>
      value === null || value === '{}' ? [] : [{ name, value, how: '' }];
    return [
      {
        name: `Source${nth}`,
        value: delivery.source,
        how: `Delivery ${delivery.deliveryId}, by the login ${delivery.submittedBy}, received ${utc(delivery.receivedAt)}: these Docket recorded itself.`,
      },
      { name: `Kind${nth}`, value: inWords(delivery.kind), how: '' },
      { name: `Captured${nth}`, value: utc(delivery.capturedAt), how: '' },
      ...optional(`Date on the paper${nth}`, delivery.documentDate),
      ...optional(`Scan number${nth}`, delivery.scanNumber),
      ...optional(`Signer of the paper${nth}`, delivery.signer),
    ];
  });
}

/** What nobody checked: what must not be read into the rest. */
export function uncheckedFacts(facts: CertificateFacts): string[] {
  return [
    'Whether the paper is genuine, and whether the scan shows all of it.',
    'Who put pen to paper: handwriting, stamps and seals in the picture were compared with nothing.',
    'Whether what the sender stated is true.',
    ...(facts.isSigned
      ? []
      : [
          'Who made the scan: no valid signature covers the whole document. Only the login that delivered it is known.',
        ]),
    ...(facts.reading
      ? ['Whether the text is what the paper says: a machine read it, and no person compared the two.']
      : []),
    'Whether the clock of the database was right: all times but those of trusted time-stamps are its own.',
    ...rewriting(facts),
  ];
}

/** A rewrite of everything shows where somebody else keeps a checkpoint; a file may be in the same hands as the database. */
function rewriting({ places }: CertificateFacts): string[] {
  const taking = places.filter(({ copiedAt }) => copiedAt !== null);
  if (taking.some(({ kind }) => kind !== 'file')) return [];
  return [
    taking.length === 0
      ? 'Whether the whole record was rewritten by somebody who rules the database: that takes a checkpoint kept outside.'
      : 'Whether the whole record was rewritten by somebody who rules the database and the file that keeps its checkpoints.',
  ];
}

/** A time in UTC, and that it is. */
export function utc(time: string): string {
  return `${formatTime(time).slice(0, 19)} UTC`;
}

function sealing(included: number, events: number): string {
  if (included === 0) return 'No event of the document is under a signed checkpoint yet.';
  const proven = 'Inclusion in the Merkle tree of the checkpoint was proven for this certificate.';
  return included === events ? proven : `${proven} Events after number ${included} are younger than it.`;
}

/** What was the text before is neither hidden nor judged. */
function superseding({ superseded }: ReadingFacts): string {
  const last = superseded.at(-1);
  if (!last) return '';
  return (
    ` It was read again, and supersedes since ${utc(last.supersededAt)} what was published on ${utc(last.publishedAt)}` +
    `${superseded.length > 1 ? `, and ${superseded.length - 1} before that` : ''}; the hashes are listed below.`
  );
}

function replaying(replay: CertificateFacts['replay']): string {
  if (!replay) return 'Since it was verified, the stored scan was not fetched again.';
  if (replay.outcome !== 'passed') return `Replay ${replay.replayId} could not look at it.`;
  const again = replay.isReread ? ', and the text was recognised anew with the same result' : '';
  return `In replay ${replay.replayId} the stored scan was fetched, hashed and compared with the log again${again}.`;
}
