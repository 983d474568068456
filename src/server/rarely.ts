/**
 * Asks for many: whoever wants to know while it is asked waits for that answer, and nothing is asked again before `everyMs`
 * have passed since it was last begun, nor before that was over. A failure is an answer like any other.
 */
export function rarely<Answer>(
  everyMs: number,
  ask: () => Promise<Answer>,
  clockMs: () => number = () => performance.now(),
): () => Promise<Answer> {
  let last: { atMs: number; isOver: boolean; answer: Promise<Answer> } | undefined;

  return () => {
    const atMs = clockMs();
    if (last === undefined || (last.isOver && atMs - last.atMs >= everyMs)) {
      const asked = { atMs, isOver: false, answer: ask() };
      const over = () => void (asked.isOver = true);
      asked.answer.then(over, over);
      last = asked;
    }
    return last.answer;
  };
}
