import { z } from 'zod';

/** A message of the queue: it names a job, and bears the reference by which the next attempt at it may be begun. */
export interface Message {
  readonly jobId: string;
  /** A JWS; only the database can tell what it is worth. */
  readonly ref: string;
}

const SHAPE = z.strictObject({ job_id: z.uuid(), ref: z.string() });

/** Reads a message as the queue hands it out; undefined if it has not the agreed shape. */
export function readMessage(payload: unknown): Message | undefined {
  const { data } = SHAPE.safeParse(payload);
  return data && { jobId: data.job_id, ref: data.ref };
}
