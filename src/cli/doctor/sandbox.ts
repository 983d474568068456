import type { Confinement } from '../../sandbox/confinement.ts';
import type { Finding } from './finding.ts';

/** What each tool is there for, and what follows without it. */
const MEASURES = [
  {
    tool: 'unshare',
    what: 'the process that decodes scans has a network here',
    consequence: 'a scan that takes over the decoder could send out what it reads',
    remedy:
      'allow unprivileged user namespaces (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns), or give the worker a network with nothing but the database and the store',
    severity: 'warning',
  },
  {
    tool: 'prlimit',
    what: 'the process that decodes scans has no limit on its address space, and may leave core files',
    consequence:
      'a scan that swells takes memory until it is seen to, and a core file would hold it in the clear',
    remedy: 'install util-linux (prlimit); limit the memory of the container or the service',
    severity: 'warning',
  },
  {
    tool: 'setpriv',
    what: 'the process that decodes scans does not end with its worker',
    consequence: 'after a worker was killed it may run on, with its memory, until it notices',
    remedy: 'install util-linux (setpriv)',
    severity: 'note',
  },
] as const;

/** Which measures against hostile scans this host does not offer. */
export function sandboxFindings(
  { measures }: Pick<Confinement, 'measures'>,
  { isRoot }: { isRoot: boolean },
): Finding[] {
  return [
    ...MEASURES.filter(({ tool }) => !measures.some((measure) => measure.startsWith(`${tool}:`))).map(
      ({ tool: _tool, ...finding }) => finding,
    ),
    ...(isRoot
      ? [
          {
            severity: 'warning' as const,
            what: 'this process runs as root, and so do workers that are started like it',
            consequence: 'what breaks out of the decoder has every right on this host',
            remedy: 'run Docket as a user of its own',
          },
        ]
      : []),
  ];
}
