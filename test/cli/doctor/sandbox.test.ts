import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { sandboxFindings } from '../../../src/cli/doctor/sandbox.ts';
import { inNamespace, skipWithoutNamespaces } from './in-a-namespace.ts';

test(
  'where a system forbids namespaces, the decoder has a network, and the doctor says what follows',
  { skip: skipWithoutNamespaces },
  () => {
    assert.deepEqual(inNamespace('', 'say-sandbox.ts'), [], 'nothing is missing in the namespace itself');
    const [finding, ...others] = inNamespace(
      'echo 0 > /proc/sys/user/max_user_namespaces',
      'say-sandbox.ts',
    ) as Finding[];
    assert.deepEqual(others, []);
    assert.equal(finding!.severity, 'warning');
    assert.equal(finding!.what, 'the process that decodes scans has a network here');
    assert.match(finding!.consequence, /could send out what it reads/);
    assert.match(finding!.remedy!, /user\.max_user_namespaces/);
  },
);

test(
  'where the tools of the system are not there, each measure that is missing is told',
  { skip: skipWithoutNamespaces },
  () => {
    const hidden = ['unshare', 'prlimit', 'setpriv']
      .map((tool) => `[ ! -e /usr/bin/${tool} ] || mount --bind /dev/null /usr/bin/${tool}`)
      .join('\n');
    const found = inNamespace(hidden, 'say-sandbox.ts') as Finding[];
    assert.deepEqual(
      found.map(({ severity, what }) => [severity, what]),
      [
        ['warning', 'the process that decodes scans has a network here'],
        [
          'warning',
          'the process that decodes scans has no limit on its address space, and may leave core files',
        ],
        ['note', 'the process that decodes scans does not end with its worker'],
      ],
    );
  },
);

test('to run as root is a warning', () => {
  const measures = ['prlimit: 1 MiB', 'unshare: no network', 'setpriv: ends with its parent'];
  assert.deepEqual(sandboxFindings({ measures }, { isRoot: false }), []);
  assert.deepEqual(
    sandboxFindings({ measures }, { isRoot: true }).map(({ severity }) => severity),
    ['warning'],
  );
});
