import { DocketError } from '../errors.ts';

const WHEN_READING: Record<string, string> = {
  ENOENT: 'OBJECT_NOT_FOUND',
  ENOTDIR: 'OBJECT_NOT_FOUND',
  ENAMETOOLONG: 'LOCATOR_INVALID',
  EISDIR: 'LOCATOR_INVALID',
  ELOOP: 'LOCATOR_INVALID',
};

const ALWAYS: Record<string, string> = {
  EACCES: 'STORE_DENIED',
  EPERM: 'STORE_DENIED',
  EROFS: 'STORE_DENIED',
};

/**
 * Gives an error of the file system the failure code it means to a store: what could not be read may be absent or
 * misnamed, what could not be written is the store's fault. Errors from elsewhere pass as they are.
 */
export function fromFileSystem(error: unknown, doing: 'reading' | 'writing', name: string): Error {
  if (error instanceof DocketError || !(error instanceof Error) || !('syscall' in error)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const errno = 'code' in error ? String(error.code) : '';
  const code =
    ALWAYS[errno] ?? (doing === 'reading' ? WHEN_READING[errno] : undefined) ?? 'STORE_UNAVAILABLE';
  return new DocketError(code, `${doing} ${name}: the file store answered ${errno}`, { cause: error });
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
