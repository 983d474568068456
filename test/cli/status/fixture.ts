import type { StatusFacts } from '../../../src/cli/status/status-facts.ts';

/** A system that is at work, of which nothing is wrong. */
export const CALM: StatusFacts = {
  at: '2026-03-01T09:30:00.123456Z',
  deliveries: 1234,
  states: [
    { state: 'accepted', documents: 12, oldest_seconds: 3.2 },
    { state: 'running', documents: 2, oldest_seconds: 1.1 },
    { state: 'validated', documents: 0, oldest_seconds: 0 },
    { state: 'published', documents: 1200, oldest_seconds: null },
    { state: 'quarantined', documents: 7, oldest_seconds: 90_000 },
  ],
  quarantined: [
    { code: 'TRUNCATED', documents: 6, last_hour: 0 },
    { code: 'LOW_CONFIDENCE', documents: 1, last_hour: 0 },
  ],
  disputed: { documents: 0, since: null, seconds: null },
  alerts: [],
  outages: [],
  halted: [],
  duties: [],
  workers: [
    {
      ...{ host: 'scan-a', pid: 41, version: '0.1.0', since: '2026-03-01T08:00:00Z' },
      slots: [
        { pool: 'audit', busy: null, granted: 1, held_back: null },
        { pool: 'ocr', busy: 2, granted: 4, held_back: null },
      ],
    },
    {
      ...{ host: 'scan-b', pid: 42, version: '0.1.0', since: '2026-03-01T08:00:00Z' },
      slots: [{ pool: 'ocr', busy: 1, granted: 4, held_back: null }],
    },
  ],
  levels: {
    lanes: ['signature_critical', 'standard'],
    slos: [
      {
        ...{ slo: 'undeferred_standard', measure: 'undeferred', lane: 'standard' },
        ...{ warning: 120, breach: 600, rollback: null },
      },
    ],
    ages: [
      stage('waiting', 'standard', 12, 3.2),
      stage('undeferred', 'standard', 12, 3.2),
      stage('undeferred', null, 12, 3.2),
      stage('running', 'standard', 2, 1.1),
      stage('untold', null, 5, 2.5),
    ],
    published: [{ lane: 'standard', documents: 900, p95_seconds: 42.5 }],
  },
  ocr: {
    ...{ active: 2, activated_at: '2026-02-27T10:00:00.5Z', known_good: 1, canary: 3, canary_share: 0.1 },
    ...{ automatic_within: '01:00:00', rollback: null },
  },
  sealing: {
    ...{ size: 9000, sealed_at: '2026-03-01T09:29:59Z', unsealed_events: 0, unsealed_seconds: null },
    ...{ code: null, blocker: null, remedy: null, checkpoint_size: 9000, checkpoint_fork: null },
    checkpoint_at: '2026-03-01T09:29:59.987654Z',
  },
  signing: { sealed: 9000, signed: 9000, unsignedSeconds: 0, keyRecorded: true },
  places: [
    { place: '/var/lib/docket/checkpoints', kind: 'file', size: 9000 },
    { place: 'w1', kind: 'witness', size: 9000 },
    { place: 'w2', kind: 'witness', size: 8000 },
  ],
  checkpointSeconds: 60,
};

function stage(measure: string, lane: string | null, documents: number, oldest_seconds: number) {
  const job_id = '00000000-0000-8000-8000-000000000001';
  return { measure, lane, documents, oldest_seconds, job_id, oldest_at: '2026-03-01T09:29:57Z' };
}
