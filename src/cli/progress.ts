import { printable } from './printable.ts';

const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[2K';

/** Progress for a person: lines that stay, and below them, on a terminal, one line that changes. */
export interface Progress {
  /** Prints a line that stays. */
  line(text: string): void;
  /** Redraws the changing line: a bar for `done` of `total`, and a remark. */
  bar(done: number, total: number, remark: string): void;
  /** Redraws the changing line: what is being done, where nobody knows how much of it is left. */
  note(remark: string): void;
  /** Removes the changing line. */
  clear(): void;
}

/** Makes the progress display of a verb on standard error; without a terminal only the lines that stay are printed. */
export function createProgress(live: boolean, out: NodeJS.WriteStream = process.stderr): Progress {
  let drawn = '';
  const clear = () => {
    if (drawn !== '') out.write(CLEAR_LINE);
    drawn = '';
  };
  function draw(text: string): void {
    if (!live) return;
    clear();
    // A line longer than the terminal could not be taken back.
    drawn = [...printable(text)].slice(0, (out.columns || 80) - 1).join('');
    out.write(drawn);
  }
  return {
    clear,
    line(text) {
      const bar = drawn;
      clear();
      out.write(`${printable(text)}\n`);
      if (bar !== '') out.write(bar);
      drawn = bar;
    },
    note: draw,
    bar(done, total, remark) {
      const filled = total === 0 ? BAR_WIDTH : Math.round((done / total) * BAR_WIDTH);
      draw(`${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done}/${total}  ${remark}`);
    },
  };
}
