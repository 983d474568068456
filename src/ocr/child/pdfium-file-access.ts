import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** What is needed of the compiled PDFium to let it read a file by itself. */
export interface FileReaderHost {
  _malloc(size: number): number;
  _free(pointer: number): void;
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  wasmExports: { __indirect_function_table: { set(index: number, value: unknown): void } };
}

/** A file that PDFium reads from. */
export interface FileAccess {
  /** PDFium's FPDF_FILEACCESS: length, callback, parameter. */
  readonly pointer: number;
  /** Throws if a read failed since: PDFium itself would only find the file damaged. */
  assertRead(): void;
  close(): void;
}

/**
 * A module that passes its only import on: what turns a JavaScript function of four integers into one that can stand in a
 * table of WebAssembly functions. (type (i32 i32 i32 i32) → i32; import e.f; export f)
 */
const PASS_ON = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x09, 0x01, 0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01,
  0x7f, 0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00,
]);

/**
 * Where the callback stands in PDFium's table of functions. The table cannot grow, and every place in it is taken but the
 * first, which stands for the null pointer; PDFium calls what stands there without comparing.
 */
const CALLBACK = 0;
const STRUCT_BYTES = 12;

/** What is used of the global of this name, which the compiler only knows together with a browser's. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
};

interface OpenFile {
  readonly descriptor: number;
  error: Error | undefined;
}

const files = new Map<number, OpenFile>();
let nextFile = 1;

/** Gives a fresh PDFium the callback that reads files. To be called once, before openFileAccess. */
export function provideFileReader(host: FileReaderHost): void {
  const read = (id: number, position: number, target: number, length: number): number => {
    const file = files.get(id);
    if (file === undefined) return 0;
    try {
      for (let done = 0; done < length;) {
        const from = (position >>> 0) + done;
        const got = readSync(file.descriptor, host.HEAPU8, (target >>> 0) + done, length - done, from);
        if (got === 0) return 0;
        done += got;
      }
      return 1;
    } catch (error) {
      file.error = error as Error;
      return 0;
    }
  };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(PASS_ON), { e: { f: read } });
  host.wasmExports.__indirect_function_table.set(CALLBACK, instance.exports['f']);
}

export function openFileAccess(host: FileReaderHost, path: string): FileAccess {
  const file: OpenFile = { descriptor: openSync(path, 'r'), error: undefined };
  const id = nextFile;
  nextFile += 1;
  files.set(id, file);
  const pointer = host._malloc(STRUCT_BYTES);
  host.HEAPU32.set([fstatSync(file.descriptor).size, CALLBACK, id], pointer >> 2);
  return {
    pointer,
    assertRead() {
      if (file.error !== undefined) throw file.error;
    },
    close() {
      files.delete(id);
      host._free(pointer);
      closeSync(file.descriptor);
    },
  };
}
