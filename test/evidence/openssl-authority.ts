import { writeFileSync } from 'node:fs';
import { OpensslFiles } from '../support/openssl-files.ts';

/** Extensions of the usual certificates, as lines of openssl's configuration. */
export const AUTHORITY = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
export const SIGNER = ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature'];
export const STAMPER = [...SIGNER, 'extendedKeyUsage=critical,timeStamping'];

export interface Issue {
  readonly extensions: readonly string[];
  /** Who issues it; itself if nobody is named. */
  readonly issuer?: string;
  readonly subject?: string;
  readonly days?: number;
  readonly serial?: number;
  /** Of `openssl genpkey`; a key on P-256 without it. */
  readonly algorithm?: readonly string[];
  /** Takes the key of another certificate in place of a new one. */
  readonly keyOf?: string;
}

/** Certificates, revocation lists, signatures and time-stamps that openssl makes in a folder of the test file. */
export class OpensslAuthority extends OpensslFiles {
  /** Makes NAME.key and NAME.pem; answers the PEM. */
  issue(name: string, issue: Issue): string {
    const { issuer, keyOf = name, extensions } = issue;
    if (keyOf === name) this.makeKey(name, ...(issue.algorithm ?? []));
    else this.write(`${name}.key`, this.bytes(`${keyOf}.key`));
    const subject = issue.subject ?? `/O=Depot/CN=${name}`;
    this.write('plain.cnf', '[req]\ndistinguished_name=dn\n[dn]\n');
    this.run(
      ...['req', '-x509', '-new', '-config', 'plain.cnf', '-key', `${name}.key`, '-subj', subject, '-utf8'],
      ...(issuer === undefined ? [] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`]),
      ...extensions.flatMap((extension) => ['-addext', extension]),
      ...(issue.serial === undefined ? [] : ['-set_serial', String(issue.serial)]),
      ...['-days', String(issue.days ?? 30), '-out', `${name}.pem`],
    );
    return this.text(`${name}.pem`);
  }

  certificate(name: string): Buffer {
    return this.run('x509', '-in', `${name}.pem`, '-outform', 'DER');
  }

  /**
   * Revokes certificates: each line is a serial number in hex, and a time (YYMMDDHHMMSSZ) with perhaps a reason behind a comma.
   * The list is of `from`, or now, and in force for ten days; of all certificates unless `only` says of which
   * (`onlyuser`, `onlyCA`).
   */
  revoke(
    issuer: string,
    lines: readonly (readonly [string, string])[],
    from = new Date(),
    only?: string,
  ): Buffer {
    const index = lines.map(([serial, date]) => `R\t491231235959Z\t${date}\t${serial}\tunknown\t/CN=x\n`);
    this.write('index.txt', index.join(''));
    this.write('index.txt.attr', 'unique_subject = no\n');
    const settings = ['[ca]', 'default_ca=d', '[d]', 'database=index.txt', 'default_md=sha256'];
    if (only !== undefined)
      settings.push('crl_extensions=e', '[e]', 'issuingDistributionPoint=critical,@p', '[p]', `${only}=TRUE`);
    this.write('ca.cnf', `${settings.join('\n')}\n`);
    const until = new Date(from.getTime() + 10 * 24 * 60 * 60 * 1000);
    this.run(
      ...['ca', '-config', 'ca.cnf', '-gencrl', '-out', 'list.pem'],
      ...['-crl_lastupdate', asnTime(from), '-crl_nextupdate', asnTime(until)],
      ...['-cert', `${issuer}.pem`, '-keyfile', `${issuer}.key`],
    );
    return this.run('crl', '-in', 'list.pem', '-outform', 'DER');
  }

  /** Signs a file by CMS, detached unless `-nodetach` is among the further arguments. */
  sign(file: string, signer: string, ...args: string[]): Buffer {
    this.run(
      ...['cms', '-sign', '-binary', '-in', file, '-signer', `${signer}.pem`, '-inkey', `${signer}.key`],
      ...['-outform', 'DER', '-out', 'signed.der', ...args],
    );
    return this.bytes('signed.der');
  }

  /** Has an authority answer that a file is there now. */
  stamp(file: string, authority: string, ...args: string[]): Buffer {
    const lines = ['[tsa]', 'default_tsa=t', '[t]', 'serial=tsa.serial', 'default_policy=1.2.3.4'];
    lines.push('digests=sha1,sha256,sha512', 'signer_digest=sha256', 'ess_cert_id_alg=sha256');
    this.write('tsa.cnf', `${lines.join('\n')}\n`);
    this.run(
      'ts',
      '-query',
      '-data',
      file,
      '-cert',
      '-out',
      'query.tsq',
      ...(args.length > 0 ? args : ['-sha256']),
    );
    this.run(
      ...['ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query.tsq', '-out', 'answer.tsr'],
      ...['-signer', `${authority}.pem`, '-inkey', `${authority}.key`],
    );
    return this.bytes('answer.tsr');
  }

  write(name: string, bytes: string | Uint8Array): void {
    writeFileSync(this.path(name), bytes);
  }
}

/** A time as openssl takes it: YYMMDDHHMMSSZ. */
export function asnTime(time: Date): string {
  return `${time.toISOString().replace(/\D/g, '').slice(2, 14)}Z`;
}
