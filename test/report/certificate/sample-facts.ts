import type { CertificateFacts } from '../../../src/report/certificate/facts.ts';
import { aSignature } from '../sample-report.ts';

const hash = (digit: string) => digit.repeat(64);

/** A document that is signed, sealed, replayed and kept outside, unless changed. */
export function someFacts(change: Partial<CertificateFacts> = {}): CertificateFacts {
  const event = { actor: 'docket_worker', reason: '', code: null, attempt: 1, chainOk: true };
  return {
    madeAt: '2026-09-30T12:00:00.000Z',
    madeBy: 'docket 0.1.0',
    jobId: '0191d0c4-0000-8000-8000-000000000001',
    state: 'published',
    sha256: hash('a'),
    sizeBytes: 1258291,
    mediaType: 'image/jpeg',
    verifiedAt: '2026-09-29 08:00:00.1234+00',
    statement:
      'Signed by CN=Depot Nord over the whole document; valid on 2026-09-29 08:00:00 UTC against the anchor "Depot CA".',
    isSigned: true,
    signatures: [aSignature()],
    reading: {
      pages: 2,
      characters: 1834,
      confidence: 91.25,
      resultSha256: hash('b'),
      configSha256: hash('c'),
      superseded: [],
    },
    deliveries: [
      {
        deliveryId: '17',
        source: 'harbour-office',
        submittedBy: 'harbour',
        receivedAt: '2026-09-29 07:59:58.5+00',
        kind: 'delivery_note',
        capturedAt: '2026-09-28 16:45:00+00',
        documentDate: '2026-09-28',
        scanNumber: '4711',
        signer: '{"name": "Zoë Łukasz Ωμέγα"}',
      },
    ],
    timeline: [
      {
        ...event,
        at: '2026-09-29 07:59:58.5+00',
        event: 'received',
        state: 'accepted',
        actor: 'harbour',
        hash: hash('1'),
      },
      { ...event, at: '2026-09-29 08:00:00.1234+00', event: 'verified', state: 'verified', hash: hash('2') },
      {
        ...event,
        at: '2026-09-29 08:00:00.4+00',
        event: 'envelope_checked',
        state: 'verified',
        hash: hash('3'),
      },
      { ...event, at: '2026-09-29 08:00:03.9+00', event: 'extracted', state: 'extracted', hash: hash('4') },
      { ...event, at: '2026-09-29 08:00:04+00', event: 'published', state: 'published', hash: hash('5') },
      { ...event, at: '2026-09-30 02:00:04+00', event: 'replay_passed', state: 'published', hash: hash('6') },
    ],
    checks: [
      { checked: 'event_hashes', count: '6' },
      { checked: 'chain_links', count: '6' },
    ],
    checkpoint: {
      note: `docket/5f0c7c1e-7a3c-4f0e-9a53-0f7d2a6f0b11\n1284\n${Buffer.alloc(32, 7).toString('base64')}\n\n— docket/5f0c7c1e-7a3c-4f0e-9a53-0f7d2a6f0b11 ${Buffer.alloc(68, 9).toString('base64')}\n`,
      origin: 'docket/5f0c7c1e-7a3c-4f0e-9a53-0f7d2a6f0b11',
      size: '1284',
      recordedAt: '2026-09-30 11:59:58+00',
      includedEvents: 6,
    },
    places: [
      {
        place: 's3://evidence-checkpoints',
        kind: 'bucket',
        size: '1284',
        copiedAt: '2026-09-30 11:59:57+00',
        failure: null,
      },
      {
        place: 'witness.example/w1',
        kind: 'witness',
        size: '1200',
        copiedAt: '2026-09-30 11:40:00+00',
        failure: 'it answered 503',
      },
    ],
    replay: { replayId: 3, outcome: 'passed', at: '2026-09-30 02:00:04+00', isReread: false },
    ...change,
  };
}
