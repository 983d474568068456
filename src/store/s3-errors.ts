import { S3ServiceException } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';

/** What was being done when a store failed: for messages, and because an absent version is one thing or another. */
export interface Doing {
  act: 'reading' | 'writing' | 'looking at' | 'removing' | 'protecting' | 'listing';
  locator: string;
}

/** By the name that the server gives the error. Names are more exact than statuses, but a HEAD has no body to name one. */
const BY_NAME: Record<string, string> = {
  NoSuchKey: 'OBJECT_NOT_FOUND',
  NoSuchVersion: 'OBJECT_NOT_FOUND',
  NotFound: 'OBJECT_NOT_FOUND',
  // The version of that name says that the object was deleted.
  MethodNotAllowed: 'OBJECT_NOT_FOUND',
  KeyTooLongError: 'LOCATOR_INVALID',
  InvalidURI: 'LOCATOR_INVALID',
  InvalidArgument: 'LOCATOR_INVALID',
  // A bucket that is not there is a mistake of the configuration, or a store that lost its disk: no word on the object.
  NoSuchBucket: 'STORE_UNAVAILABLE',
  RequestTimeout: 'STORE_TIMEOUT',
  // The client corrects its clock by this answer; the next try is timed right.
  RequestTimeTooSkewed: 'STORE_UNAVAILABLE',
  ConditionalRequestConflict: 'STORE_UNAVAILABLE',
  OperationAborted: 'STORE_UNAVAILABLE',
  // The bytes did not arrive as they were sent.
  BadDigest: 'STORE_UNAVAILABLE',
  IncompleteBody: 'STORE_UNAVAILABLE',
  XAmzContentSHA256Mismatch: 'STORE_UNAVAILABLE',
  // Who asks is not known, or no longer: no word on the object either.
  CredentialsProviderError: 'STORE_UNAVAILABLE',
  ExpiredToken: 'STORE_UNAVAILABLE',
  InvalidToken: 'STORE_UNAVAILABLE',
  InvalidAccessKeyId: 'STORE_UNAVAILABLE',
  SignatureDoesNotMatch: 'STORE_UNAVAILABLE',
  TimeoutError: 'STORE_TIMEOUT',
  PermanentRedirect: 'STORE_UNAVAILABLE',
  AuthorizationHeaderMalformed: 'STORE_UNAVAILABLE',
};

const BY_STATUS: Record<number, string> = {
  401: 'STORE_DENIED',
  403: 'STORE_DENIED',
  404: 'OBJECT_NOT_FOUND',
  405: 'OBJECT_NOT_FOUND',
  408: 'STORE_TIMEOUT',
  414: 'LOCATOR_INVALID',
};

const HINTS: Record<string, string> = {
  NoSuchBucket: 'make the bucket, or correct DOCKET_STORE',
  PermanentRedirect: 'correct DOCKET_S3_REGION or DOCKET_S3_ENDPOINT',
  AuthorizationHeaderMalformed: 'correct DOCKET_S3_REGION',
  CredentialsProviderError:
    'give credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE',
  SignatureDoesNotMatch: 'correct the secret access key',
  InvalidAccessKeyId: 'correct the access key',
};

/**
 * Gives an error of an S3 client the failure code it means to a store. Whatever is not known, from connections that broke
 * to answers that are no XML, is the store's fault and may pass: STORE_UNAVAILABLE.
 */
export function fromS3(error: unknown, { act, locator }: Doing): DocketError {
  if (error instanceof DocketError) return error;
  const name = error instanceof Error ? error.name : '';
  const status = statusOf(error);
  const code = codeOf(name, status, act);
  const errno = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : '';
  const answer = `${name}${status === undefined ? errno : ` (${status})`}`;
  return new DocketError(code, `${act} ${locator}: the object store answered ${answer}`, {
    cause: error,
    hint: HINTS[name],
  });
}

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof DocketError && (error.code === 'STORE_UNAVAILABLE' || error.code === 'STORE_TIMEOUT')
  );
}

/** The HTTP status of an answer that was an error; undefined where there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function codeOf(name: string, status: number | undefined, act: Doing['act']): string {
  const known = BY_NAME[name] ?? (status === undefined ? undefined : BY_STATUS[status]);
  if (known !== undefined) return known;
  // What is wrong with a request about one object is its name or version.
  if (status === 400) return act === 'writing' || act === 'listing' ? 'STORE_DENIED' : 'LOCATOR_INVALID';
  return 'STORE_UNAVAILABLE';
}
