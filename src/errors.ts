/**
 * The one error class of the program. `code` is stable and meant for machines: either a failure code of the database
 * (`HASH_MISMATCH`, `OCR_TIMEOUT`, …, the reasons why a document's work fails), an SQLSTATE of class ZD that a command
 * raised, or a program code (`CONFIG_INVALID`, `DATABASE_UNAVAILABLE`, …). `message` says what was wrong; `hint`, where
 * there is one, says what to do about it; `data` holds values worth logging. None of them ever holds document text.
 */
export class DocketError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    details: { cause?: unknown; hint?: string | undefined; data?: Record<string, unknown> } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'DocketError';
    this.code = code;
    this.hint = details.hint;
    this.data = Object.freeze({ ...details.data });
  }
}
