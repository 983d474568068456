import type { RecognisedPage } from './engine.ts';

/** Before the JSON of its overrides on the command line of a child that does not read by the built-in parameters. */
export const OVERRIDES_OPTION = '--overrides=';

/** What the parent asks of a child, one document at a time. */
export interface Order {
  readonly type: 'recognise';
  readonly file: string;
  /** The first page wanted: greater than 1 when an earlier child was replaced half way. */
  readonly fromPage: number;
  readonly maxPages: number;
  readonly maxPixels: number;
  /** Above this much resident memory, in bytes, the child stops after the page at hand. */
  readonly restAbove: number;
}

/** What only a running child knows: versions of what it loaded. */
export interface ChildFacts {
  readonly engine: string;
  readonly tesseract: string;
  readonly core: string;
  readonly model: string;
  readonly modelSha256: string;
  readonly sharp: string;
  readonly libvips: string;
  readonly pdfium: string;
}

/** What a child answers. Its standard output carries nothing: libraries write there. */
export type Answer =
  | { readonly type: 'ready'; readonly facts: ChildFacts }
  | { readonly type: 'opened'; readonly declared: number }
  | { readonly type: 'page'; readonly page: RecognisedPage }
  /** Pages up to `nextPage` are done; `nextPage` is 0 when there are no more. `tired`: replace this child. */
  | { readonly type: 'done'; readonly nextPage: number; readonly warnings: string[]; readonly tired: boolean }
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly message: string;
      readonly data: Record<string, unknown>;
      readonly tired: boolean;
    };
