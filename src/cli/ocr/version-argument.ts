import { z } from 'zod';

/** The number of an OCR configuration. */
export const versionArgument = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'expected the number of an OCR configuration: docket ocr list')
  .transform(Number);
