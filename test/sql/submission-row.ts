import { randomHash } from './stage.ts';

/** A row as docket.submit_batch and docket.check_submission take it, of a new scan of carrier-a unless changed. */
export function submissionRow(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    source_id: 'carrier-a',
    sha256: randomHash().toString('hex'),
    locator: 'memory:x',
    size_bytes: 1,
    media_type: 'image/png',
    captured_at: '2026-01-01T00:00:00Z',
    ...changes,
  };
}
