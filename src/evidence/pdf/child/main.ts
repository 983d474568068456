import { trustFromJson } from '../check-order.ts';
import type { CheckAnswer, CheckOrder } from '../check-order.ts';
import { checkDocument } from './check-document.ts';

/** The process that reads a signed PDF: it gets a path and what to judge by, answers once, and holds nothing worth stealing. */
function answer(message: CheckAnswer): void {
  process.send?.(message);
}

process.on('message', ({ file, trust, mostBytes }: CheckOrder) => {
  checkDocument(file, trustFromJson(trust), mostBytes).then(
    (reports) => answer({ reports }),
    (error: unknown) =>
      answer({
        problem: `the signatures cannot be checked: ${error instanceof Error ? error.message : String(error)}`,
      }),
  );
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C at a terminal reaches the whole group of processes; the parent decides when this one ends.
process.on('SIGINT', () => undefined);
