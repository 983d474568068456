import type { ReadStream, WriteStream } from 'node:tty';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_TO_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** The whole terminal, for as long as it is open; what was on it before comes back. */
export interface LiveScreen {
  /** Replaces what is shown. Lines must be no longer than the terminal is wide. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back; a second call does nothing. */
  close(): void;
}

/**
 * Takes over a terminal: its alternate screen, no cursor, and keys as they are pressed, if `keys` is a terminal too. However the
 * process ends, short of SIGKILL, the terminal is given back. `onKey` gets each key, and Ctrl-C as any other; `onResize` is called when
 * the terminal changed its size.
 */
export function openLiveScreen({
  out,
  keys,
  onKey,
  onResize,
}: {
  out: Pick<WriteStream, 'write' | 'on' | 'off'>;
  keys: Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;
  onKey: (key: string) => void;
  onResize: () => void;
}): LiveScreen {
  let isOpen = true;
  const takeKeys = (data: Buffer | string) => {
    for (const key of data.toString()) onKey(key);
  };
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    out.off('resize', onResize);
    process.off('exit', close);
    if (keys.isTTY) {
      keys.off('data', takeKeys);
      keys.setRawMode(false);
      keys.pause();
    }
    out.write(LEAVE);
  };
  out.write(ENTER);
  out.on('resize', onResize);
  process.on('exit', close);
  if (keys.isTTY) {
    keys.setRawMode(true);
    keys.on('data', takeKeys);
    keys.resume();
  }
  return {
    draw(lines) {
      if (!isOpen) return;
      // Over what is there, line by line: nothing flickers.
      out.write(HOME + lines.map((line) => line + CLEAR_TO_LINE_END).join('\r\n') + CLEAR_BELOW);
    },
    close,
  };
}
