import { PDFiumModule } from '@hyzyla/pdfium';
import { DocketError } from '../../errors.ts';
import type { Box } from '../../domain/geometry.ts';
import type { GreyImage } from './grey-image.ts';
import type { PdfiumExports } from './pdfium-exports.ts';
import { openFileAccess, provideFileReader } from './pdfium-file-access.ts';
import type { FileAccess } from './pdfium-file-access.ts';

const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
const BITMAP_GREY = 1;
const RENDER_ANNOTATIONS = 0x01;
const RENDER_GREY = 0x08;
const WHITE = 0xffffffff;
const FORM_XFA_FULL = 2;
const MODE_ATTACHMENTS = 5;
const SCRATCH_BYTES = 256;
const MOST_DEPTH = 8;
const MOST_OBJECTS = 20_000;

export type PdfObjectKind = 'text' | 'path' | 'image' | 'shading' | 'form' | 'unknown';
const KINDS: readonly PdfObjectKind[] = ['unknown', 'text', 'path', 'image', 'shading', 'form'];

/** Something painted on a page. `top` is false inside a form, whose coordinates are not the page's. */
export interface PdfObject {
  readonly handle: number;
  readonly kind: PdfObjectKind;
  readonly top: boolean;
}

export interface PdfImageFacts {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  /** Where the image lies, in points of the unrotated page, y up; undefined inside a form. */
  readonly bounds: Box | undefined;
  readonly filters: readonly string[];
}

/** One open PDF. Not re-entrant; pages must be closed before the document. */
export class PdfDocument {
  readonly pageCount: number;
  /** The cross-reference table was sound: nothing had to be guessed to open the file. */
  readonly sound: boolean;
  /** A form whose pages are made by a program inside (dynamic XFA): the pages in the file are placeholders. */
  readonly dynamicForm: boolean;
  /** The documents are attachments and the page is only their cover. */
  readonly portfolio: boolean;
  readonly #m: PdfiumExports;
  readonly #file: FileAccess;
  readonly #handle: number;
  readonly #scratch: number;

  constructor(module: PdfiumExports, file: FileAccess, handle: number) {
    this.#m = module;
    this.#file = file;
    this.#handle = handle;
    this.#scratch = module._malloc(SCRATCH_BYTES);
    this.pageCount = module._FPDF_GetPageCount(handle);
    this.sound = module._FPDF_DocumentHasValidCrossReferenceTable(handle) !== 0;
    this.dynamicForm = module._FPDF_GetFormType(handle) === FORM_XFA_FULL;
    this.portfolio =
      module._FPDFDoc_GetPageMode(handle) === MODE_ATTACHMENTS &&
      module._FPDFDoc_GetAttachmentCount(handle) > 0;
  }

  close(): void {
    this.#m._free(this.#scratch);
    this.#m._FPDF_CloseDocument(this.#handle);
    this.#file.close();
  }

  /** A handle for the page (from 0), or undefined if the file has none there after all. */
  openPage(index: number): number | undefined {
    return this.#m._FPDF_LoadPage(this.#handle, index) || undefined;
  }

  closePage(page: number): void {
    this.#m._FPDF_ClosePage(page);
  }

  /** Points, after /Rotate; `turned` if that makes the sides swap. */
  pageSize(page: number): { width: number; height: number; turned: boolean } {
    return {
      width: this.#m._FPDF_GetPageWidthF(page),
      height: this.#m._FPDF_GetPageHeightF(page),
      turned: this.#m._FPDFPage_GetRotation(page) % 2 === 1,
    };
  }

  /** The objects of a page, those inside forms included. */
  *objects(page: number): Generator<PdfObject> {
    const m = this.#m;
    let budget = MOST_OBJECTS;
    const walk = function* (count: number, get: (i: number) => number, depth: number): Generator<PdfObject> {
      for (let i = 0; i < count && budget > 0; i += 1) {
        budget -= 1;
        const handle = get(i);
        if (handle === 0) continue;
        const kind = KINDS[m._FPDFPageObj_GetType(handle)] ?? 'unknown';
        yield { handle, kind, top: depth === 0 };
        if (kind === 'form' && depth < MOST_DEPTH) {
          yield* walk(
            m._FPDFFormObj_CountObjects(handle),
            (j) => m._FPDFFormObj_GetObject(handle, j),
            depth + 1,
          );
        }
      }
    };
    yield* walk(m._FPDFPage_CountObjects(page), (i) => m._FPDFPage_GetObject(page, i), 0);
  }

  /** Whether a text object is meant to be seen: modes 3 and 7 add nothing to the picture. */
  paintsText(object: PdfObject): boolean {
    const mode = this.#m._FPDFTextObj_GetTextRenderMode(object.handle);
    return mode !== 3 && mode !== 7;
  }

  imageFacts(page: number, object: PdfObject): PdfImageFacts {
    const m = this.#m;
    const at = this.#scratch;
    const known = m._FPDFImageObj_GetImageMetadata(object.handle, page, at) !== 0;
    const words = m.HEAPU32.subarray(at >> 2, (at >> 2) + 5);
    const [width, height, bitsPerPixel] = known ? [words[0] ?? 0, words[1] ?? 0, words[4] ?? 0] : [0, 0, 0];
    return { width, height, bitsPerPixel, bounds: this.#bounds(object), filters: this.#filters(object) };
  }

  #bounds({ handle, top }: PdfObject): Box | undefined {
    const at = this.#scratch;
    if (!top || this.#m._FPDFPageObj_GetBounds(handle, at, at + 4, at + 8, at + 12) === 0) return undefined;
    const [left = 0, bottom = 0, right = 0, upper = 0] = this.#m.HEAPF32.subarray(at >> 2, (at >> 2) + 4);
    return { x0: left, y0: bottom, x1: right, y1: upper };
  }

  #filters({ handle }: PdfObject): string[] {
    const count = this.#m._FPDFImageObj_GetImageFilterCount(handle);
    return Array.from({ length: count }, (_, i) => {
      const length = this.#m._FPDFImageObj_GetImageFilter(handle, i, this.#scratch, SCRATCH_BYTES);
      return Buffer.from(
        this.#m.HEAPU8.subarray(this.#scratch, this.#scratch + Math.max(0, length - 1)),
      ).toString('latin1');
    });
  }

  /** The image's stream as it stands in the file. */
  imageStream({ handle }: PdfObject): Buffer {
    const length = this.#m._FPDFImageObj_GetImageDataRaw(handle, 0, 0);
    const pointer = this.#m._malloc(Math.max(1, length));
    try {
      this.#m._FPDFImageObj_GetImageDataRaw(handle, pointer, length);
      return Buffer.from(this.#m.HEAPU8.slice(pointer, pointer + length));
    } finally {
      this.#m._free(pointer);
    }
  }

  /** How many bytes of samples the image's stream unpacks to. */
  imageSampleBytes({ handle }: PdfObject): number {
    return this.#m._FPDFImageObj_GetImageDataDecoded(handle, 0, 0);
  }

  /** Whether PDFium can turn the image into pixels at all. */
  imageDecodes({ handle }: PdfObject): boolean {
    const bitmap = this.#m._FPDFImageObj_GetBitmap(handle);
    if (bitmap === 0) return false;
    this.#m._FPDFBitmap_Destroy(bitmap);
    return true;
  }

  /** Paints a page in grey, annotations and form fields included, as a viewer shows it. */
  render(page: number, width: number, height: number): GreyImage {
    const m = this.#m;
    const bitmap = m._FPDFBitmap_CreateEx(width, height, BITMAP_GREY, 0, 0);
    if (bitmap === 0) throw new RangeError('out of memory: no room for the page image');
    try {
      m._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      m._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_ANNOTATIONS | RENDER_GREY);
      this.#file.assertRead();
      const stride = m._FPDFBitmap_GetStride(bitmap);
      const start = m._FPDFBitmap_GetBuffer(bitmap);
      const data = new Uint8Array(width * height);
      for (let y = 0; y < height; y += 1) {
        data.set(m.HEAPU8.subarray(start + y * stride, start + y * stride + width), y * width);
      }
      return { data, width, height };
    } finally {
      m._FPDFBitmap_Destroy(bitmap);
    }
  }
}

let library: Promise<PdfiumExports> | undefined;
let loaded: PdfiumExports | undefined;

/** Memory that PDFium has taken, in bytes; it never gives any back. */
export function pdfiumMemory(): number {
  return loaded?.HEAPU8.length ?? 0;
}

async function loadLibrary(): Promise<PdfiumExports> {
  const silent = { print: () => undefined, printErr: () => undefined };
  const load = PDFiumModule as unknown as (options: object) => Promise<PdfiumExports>;
  const module = await load(silent);
  module._FPDF_InitLibrary();
  provideFileReader(module);
  loaded = module;
  return module;
}

/**
 * Opens a PDF with the empty password. PDFium reads what it needs from the file, so a large document takes no more memory
 * than a small one. Throws ENCRYPTED, or CORRUPT where no document can be made out.
 */
export async function openPdfDocument(file: string): Promise<PdfDocument> {
  library ??= loadLibrary();
  const m = await library;
  const access = openFileAccess(m, file);
  const handle = m._FPDF_LoadCustomDocument(access.pointer, 0);
  if (handle !== 0) return new PdfDocument(m, access, handle);
  const error = m._FPDF_GetLastError();
  access.close();
  access.assertRead();
  if (error === ERROR_PASSWORD || error === ERROR_SECURITY) {
    throw new DocketError('ENCRYPTED', 'the PDF cannot be opened without a password or key', {
      hint: 'deliver it without encryption',
    });
  }
  throw new DocketError('CORRUPT', 'no document can be made out of the PDF', {
    data: { pdfiumError: error },
  });
}
