const AGAIN_AFTER_MS = 60_000;

/** Says the same thing at most once a minute, however often there is reason to. */
export function sayingOnce(): (about: string, say: () => void) => void {
  const said = new Map<string, number>();
  return (about, say) => {
    const now = performance.now();
    if (now - (said.get(about) ?? -Infinity) < AGAIN_AFTER_MS) return;
    said.set(about, now);
    say();
  };
}
