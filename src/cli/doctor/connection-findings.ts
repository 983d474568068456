import type { ConnectionNeed } from '../connection-need.ts';
import type { Finding } from './finding.ts';

/** Whether the server has connections for all workers. */
export function connectionFindings({
  workers,
  needed,
  available,
  max_connections: most,
  finding,
}: ConnectionNeed): Finding[] {
  if (finding === null) return [];
  const processes = workers === 1 ? 'one worker process needs' : `${workers} worker processes need`;
  return [
    {
      severity: 'problem',
      what: `too few connections: ${processes} up to ${needed}, and ordinary logins have ${available} (max_connections ${most})`,
      ...finding,
    },
  ];
}
