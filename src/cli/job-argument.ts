import { z } from 'zod';
import { DocketError } from '../errors.ts';
import { jobIdOf } from '../domain/job-id.ts';

/** A job as a person names it: by its id, or by the SHA-256 of its bytes, in hex. Becomes the id. */
export const jobArgument = z
  .string()
  .toLowerCase()
  .regex(
    /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$/,
    'expected a job id or a SHA-256 in hex',
  )
  .transform((text) => (text.length === 64 ? jobIdOf(Buffer.from(text, 'hex')) : text));

/** The error for a job that the database does not know. */
export function unknownJob(jobId: string): DocketError {
  return new DocketError('ZD020', `job_id: there is no job ${jobId}`, { hint: 'Check the job id.' });
}
