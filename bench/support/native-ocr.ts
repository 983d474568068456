// Other programs that read pages, where they are installed: Debian's tesseract and ocrmypdf.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A program that reads one page image. */
export interface NativeReader {
  readonly name: string;
  /** The text of the page. */
  read(file: string): Promise<string>;
}

const run = promisify(execFile);
/** Threads make tesseract slower, many times over, on pages of this size. */
const env = { ...process.env, OMP_THREAD_LIMIT: '1' };

const tesseract: NativeReader = {
  name: 'tesseract',
  async read(file) {
    const { stdout } = await run('tesseract', [file, 'stdout', '--psm', '3'], { env });
    return stdout;
  },
};

const ocrmypdf: NativeReader = {
  name: 'ocrmypdf',
  async read(file) {
    const folder = await mkdtemp(join(tmpdir(), 'docket-bench-'));
    const sidecar = join(folder, 'text');
    const options = ['--deskew', '--rotate-pages', '--output-type', 'pdf', '-O0', '--image-dpi', '200'];
    try {
      await run('ocrmypdf', [...options, '--sidecar', sidecar, file, join(folder, 'out.pdf')], { env });
      return await readFile(sidecar, 'utf8');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Those that are on the PATH. */
export function nativeReaders(): NativeReader[] {
  return [tesseract, ocrmypdf].filter(({ name }) => spawnSync(name, ['--version']).status === 0);
}
