import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its key, as openssl made them. */
export interface Issued {
  readonly pem: string;
  /** As `x5c` has it. */
  readonly base64: string;
  readonly key: KeyObject;
}

const AUTHORITY = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
const SIGNER = ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature'];

/** A root, an authority below it, and a signer below that; all of them valid from now for a day. */
export function issueChain(): { root: Issued; office: Issued; signer: Issued } {
  const folder = mkdtempSync(join(tmpdir(), 'docket-chain-'));
  try {
    writeFileSync(join(folder, 'plain.cnf'), '[req]\ndistinguished_name = dn\n[dn]\n');
    const root = issue(folder, 'root', AUTHORITY);
    const office = issue(folder, 'office', AUTHORITY, 'root');
    const signer = issue(folder, 'signer', SIGNER, 'office');
    return { root, office, signer };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function issue(folder: string, name: string, extensions: readonly string[], issuer?: string): Issued {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  const by = issuer === undefined ? [] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
  const added = extensions.flatMap((extension) => ['-addext', extension]);
  const subject = ['-subj', `/O=Depot/CN=${name}`, '-days', '1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-config', 'plain.cnf', ...curve, ...files, ...by, ...added, ...subject],
    {
      cwd: folder,
      stdio: 'pipe',
    },
  );
  const pem = readFileSync(join(folder, `${name}.pem`), 'utf8');
  return {
    pem,
    base64: new X509Certificate(pem).raw.toString('base64'),
    key: createPrivateKey(readFileSync(join(folder, `${name}.key`))),
  };
}
