/**
 * Connections of a worker process beside one a slot, of each of its pools. They are here, and not where the pools are made, so that
 * docket doctor can count them without loading all that a worker is made of.
 */
export const CONNECTIONS = {
  /** The lease. */
  lease: 1,
  /** Commands of attempts. */
  commands: 4,
  /** What goes on beside attempts: each connection has plans of its own to make, so few connections are asked for the same. */
  beside: 2,
  /** Duties: apart from those of attempts, so that a busy worker neglects none of them. */
  duties: 2,
  /** Seals: no other work of the process holds them up. */
  seals: 1,
  /** Each pool of runners: messages are fetched and settled on these, and the least runner listens. */
  ofRunners: 2,
} as const;

/** The pools of runners: what sort of work shares slots. */
export const RUNNER_POOLS = ['io', 'ocr', 'ocr_reserved'] as const;

/** How many connections a process opens at most with so many slots of its runners. */
export function mostConnections(slots: number): number {
  const { ofRunners, ...others } = CONNECTIONS;
  const beside = Object.values(others).reduce((sum, count) => sum + count, 0);
  return slots + beside + RUNNER_POOLS.length * ofRunners;
}
