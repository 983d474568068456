import type { FileReaderHost } from './pdfium-file-access.ts';

/** The functions of PDFium (compiled to WebAssembly) that are used here; handles and pointers are numbers, 0 is null. */
export interface PdfiumExports extends FileReaderHost {
  _FPDF_InitLibrary(): void;
  _FPDF_LoadCustomDocument(fileAccess: number, password: number): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetFormType(document: number): number;
  _FPDF_DocumentHasValidCrossReferenceTable(document: number): number;
  _FPDFDoc_GetAttachmentCount(document: number): number;
  _FPDFDoc_GetPageMode(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDFPage_GetRotation(page: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFTextObj_GetTextRenderMode(object: number): number;
  _FPDFImageObj_GetImageMetadata(object: number, page: number, metadata: number): number;
  _FPDFImageObj_GetImageFilterCount(object: number): number;
  _FPDFImageObj_GetImageFilter(object: number, index: number, buffer: number, length: number): number;
  _FPDFImageObj_GetImageDataRaw(object: number, buffer: number, length: number): number;
  _FPDFImageObj_GetImageDataDecoded(object: number, buffer: number, length: number): number;
  _FPDFImageObj_GetBitmap(object: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, scan: number, stride: number): number;
  _FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): void;
  _FPDFBitmap_GetBuffer(bitmap: number): number;
  _FPDFBitmap_GetStride(bitmap: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    flags: number,
  ): void;
  HEAPF32: Float32Array;
}
