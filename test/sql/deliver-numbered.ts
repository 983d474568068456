import { randomHash, type Stage } from './stage.ts';

/** Delivers a scan under a number of its source. */
export async function deliverNumbered({ sender }: Stage, scanNumber: number): Promise<string> {
  const { rows } = await sender.pool.query<{ job_id: string }>(
    `insert into docket.submissions
       (source_id, sha256, locator, size_bytes, media_type, captured_at, scan_number, encryption)
     values ($1, $2, 'memory:unverified', 1000, 'image/png', '2026-01-02 03:04:05+00', $3, 'none') returning job_id`,
    [sender.sourceId, randomHash(), scanNumber],
  );
  return rows[0]!.job_id;
}
