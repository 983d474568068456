// Writes docs/verify.html: the offline verifier as one page, made of src/verify and src/domain.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const PAGE = join(import.meta.dirname, '../../src/verify/page');
const BROWSER = join(import.meta.dirname, 'browser');

/** The page: script and style in it, and a policy that lets these two run and nothing be fetched. */
export async function generateVerifyPage(): Promise<string> {
  const [frame, style, script] = await Promise.all([
    readFile(join(PAGE, 'page.html'), 'utf8'),
    readFile(join(PAGE, 'page.css'), 'utf8'),
    bundleScript(),
  ]);
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const parts: Record<string, string> = { POLICY: policy, STYLE: style, SCRIPT: script };
  // The digests are of these texts alone, without the white space that the frame has around them.
  return frame.replace(/\s*%(POLICY|STYLE|SCRIPT)%\s*/g, (_, name: string) => parts[name] ?? '');
}

/** Left readable, with the licences of the packages in it: whoever relies on the page may want to read it. */
async function bundleScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(PAGE, 'main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'inline',
    absWorkingDir: join(PAGE, '../../..'),
    alias: { 'node:crypto': join(BROWSER, 'node-crypto.ts') },
    inject: [join(BROWSER, 'buffer.ts')],
  });
  const [script] = outputFiles;
  if (!script || /<\/script|<!--/i.test(script.text)) throw new Error('the script cannot stand in a page');
  return script.text;
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
