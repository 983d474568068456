import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A browser of this machine; undefined where there is none. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
);

/** For a machine that does other things too. */
const GENEROUS_MS = 30_000;

type Reply = Record<string, unknown>;
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Reply;
  readonly result?: Reply;
  readonly error?: { readonly message: string };
}

/** One page of a real browser, driven by its own protocol over a pipe, without a network. */
export class BrowserPage {
  /** Every address that the page asked for. */
  readonly requested: string[] = [];
  /** What the page threw or logged, and what its policy refused. */
  readonly complaints: string[] = [];
  readonly #send: (method: string, params: Reply, session?: string) => Promise<Reply>;
  readonly #session: string;
  readonly #close: () => Promise<void>;

  private constructor(
    send: (method: string, params: Reply, session?: string) => Promise<Reply>,
    session: string,
    close: () => Promise<void>,
  ) {
    this.#send = send;
    this.#session = session;
    this.#close = close;
  }

  /** Opens a page, with the network switched off before anything is loaded. */
  static async open(url: string): Promise<BrowserPage> {
    const profile = await mkdtemp(join(tmpdir(), 'docket-chromium-'));
    const child = spawn(
      CHROMIUM ?? 'chromium',
      [
        '--headless=new',
        '--remote-debugging-pipe',
        '--no-first-run',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        // its own updates and lists are asked for by the browser, not by the page
        '--disable-background-networking',
        '--disable-component-update',
        '--host-resolver-rules=MAP * ~NOTFOUND',
        // a sandbox of its own it cannot have where the tests run as root
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        `--user-data-dir=${profile}`,
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    const closed = once(child, 'close');
    const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
    const waiting = new Map<number, (message: Message) => void>();
    let onEvent: (message: Message) => void = () => undefined;
    let held = '';
    output.setEncoding('utf8').on('data', (piece: string) => {
      const parts = (held + piece).split('\0');
      held = parts.pop() ?? '';
      for (const part of parts) {
        const message = JSON.parse(part) as Message;
        if (message.id === undefined) onEvent(message);
        else waiting.get(message.id)?.(message);
      }
    });
    let last = 0;
    const send = async (method: string, params: Reply, sessionId?: string): Promise<Reply> => {
      const id = (last += 1);
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      const { result, error } = await Promise.race([
        answered,
        closed.then(() => ({ result: undefined, error: { message: 'the browser ended' } })),
      ]);
      waiting.delete(id);
      assert.ok(result, `${method}: ${error?.message ?? ''}`);
      return result;
    };
    const close = async () => {
      child.kill('SIGKILL');
      await closed;
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    };
    try {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      const page = new BrowserPage(send, sessionId as string, close);
      onEvent = (message) => page.#notice(message);
      for (const domain of ['Page', 'Runtime', 'Network', 'DOM', 'Log', 'Accessibility'])
        await page.call(`${domain}.enable`);
      const offline = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
      await page.call('Network.emulateNetworkConditions', offline);
      await page.goTo(url);
      return page;
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Loads a page anew. */
  async goTo(url: string): Promise<void> {
    await this.call('Page.navigate', { url });
    await this.until(`document.readyState === 'complete'`);
  }

  /** Calls a method of the protocol. */
  call(method: string, params: Reply = {}): Promise<Reply> {
    return this.#send(method, params, this.#session);
  }

  /** The value of an expression in the page. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return (result as { value: Value }).value;
  }

  /** Waits, in the page, until an expression is true; says what the page shows where it never is. */
  async until(expression: string): Promise<void> {
    const shown = await this.evaluate<string>(`new Promise((resolve) => {
      const end = Date.now() + ${GENEROUS_MS};
      const look = () => {
        if (${expression}) resolve('');
        else if (Date.now() > end) resolve(document.body.innerText.slice(0, 2000));
        else setTimeout(look, 20);
      };
      look();
    })`);
    assert.equal(shown, '', `${expression} never became true`);
  }

  /** Gives files to a file chooser, as a person who chose them does. */
  async choose(selector: string, files: readonly string[]): Promise<void> {
    const { root } = await this.call('DOM.getDocument');
    const { nodeId: from } = root as { nodeId: number };
    const { nodeId } = await this.call('DOM.querySelector', { nodeId: from, selector });
    await this.call('DOM.setFileInputFiles', { nodeId, files });
  }

  /** Drops files on the middle of an element, as a person does with a mouse. */
  async drop(selector: string, files: readonly string[]): Promise<void> {
    const [x, y] = await this.evaluate<[number, number]>(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    })()`);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'])
      await this.call('Input.dispatchDragEvent', { type, x, y, data });
  }

  /** A picture of the whole page, PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.call('Page.captureScreenshot', { captureBeyondViewport: true });
    return Buffer.from(data as string, 'base64');
  }

  close(): Promise<void> {
    return this.#close();
  }

  #notice({ method, params = {} }: Message): void {
    if (method === 'Network.requestWillBeSent')
      this.requested.push((params['request'] as { url: string }).url);
    if (
      method === 'Runtime.exceptionThrown' ||
      method === 'Log.entryAdded' ||
      method === 'Runtime.consoleAPICalled'
    )
      this.complaints.push(JSON.stringify(params));
  }
}
