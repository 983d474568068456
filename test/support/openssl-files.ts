import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder in which openssl makes and reads files; removed when the tests of the file have ended. */
export class OpensslFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'docket-openssl-'));

  constructor() {
    after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Runs openssl in the folder; answers what it printed. */
  run(...args: string[]): Buffer {
    return execFileSync('openssl', args, { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  bytes(name: string): Buffer {
    return readFileSync(this.path(name));
  }

  text(name: string): string {
    return this.bytes(name).toString('utf8');
  }

  /** Makes NAME.key, and NAME.pub.pem and NAME.pub.der, its public half. */
  makeKey(name: string, ...algorithm: string[]): void {
    this.run('genpkey', '-out', `${name}.key`, ...(algorithm.length > 0 ? algorithm : P256));
    this.run('pkey', '-in', `${name}.key`, '-pubout', '-out', `${name}.pub.pem`);
    this.run('pkey', '-in', `${name}.key`, '-pubout', '-outform', 'DER', '-out', `${name}.pub.der`);
  }

  /** Makes NAME.key, and NAME.pem and NAME.der, a certificate that it signed itself. */
  makeCertificate(name: string, subject: string, days = 30): void {
    this.makeKey(name);
    const args = ['-key', `${name}.key`, '-subj', subject, '-days', String(days)];
    this.run('req', '-x509', '-new', ...args, '-out', `${name}.pem`);
    this.run('x509', '-in', `${name}.pem`, '-outform', 'DER', '-out', `${name}.der`);
  }

  /** SHA-256 of a file, in hex, as openssl has it. */
  sha256(name: string): string {
    return this.run('dgst', '-sha256', '-r', name).toString('utf8').slice(0, 64);
  }
}

const P256 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];
