/** Counts what each subject has of something, and all of them together. */
export interface Tally {
  /** What one subject has. */
  of(subject: string): number;
  /** What all of them have. */
  total(): number;
  /** Adds to what a subject has; what it returns, called once, takes it away again. */
  add(subject: string, amount?: number): () => void;
}

/** Makes a tally in which nobody has anything; who has nothing takes no memory. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (subject: string) => counts.get(subject) ?? 0;
  function change(subject: string, amount: number): void {
    total += amount;
    const left = of(subject) + amount;
    if (left > 0) counts.set(subject, left);
    else counts.delete(subject);
  }
  return {
    of,
    total: () => total,
    add(subject, amount = 1) {
      change(subject, amount);
      return () => change(subject, -amount);
    },
  };
}
