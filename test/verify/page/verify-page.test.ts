import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BrowserPage, CHROMIUM } from '../../support/chromium.ts';
import { JOB_ID, LATER_TEXT, sampleBundle, SCAN, SCAN_SHA256, TEXT } from './sample-bundle.ts';

// The page as it is shipped, in a real browser, opened from the file system with the network off.

const PAGE = pathToFileURL(resolve(import.meta.dirname, '../../../docs/verify.html')).href;
const skip = CHROMIUM === undefined ? 'there is no Chromium on this machine' : false;

describe('the offline page', { skip }, () => {
  let folder = '';
  let page: BrowserPage;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docket-page-'));
    page = await BrowserPage.open(PAGE);
  });
  after(async () => {
    await page.close();
    await rm(folder, { recursive: true, force: true });
  });

  const file = async (name: string, contents: string | Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, contents);
    return path;
  };
  const verdict = () =>
    page.evaluate<[tone: string, title: string, reason: string]>(`(() => {
      const box = document.querySelector('#verdict');
      return [box.className, box.querySelector('h2').innerText, box.querySelector('p').innerText];
    })()`);
  /** Names and items of the steps that show a sign. */
  const steps = (tone: string) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.steps li.${tone}')].map((li) =>
      li.closest('details').querySelector('summary b').textContent + ': ' + li.querySelector('p').textContent)`);
  const shown = (title: string) =>
    page.until(`document.querySelector('#verdict h2')?.textContent.includes(${JSON.stringify(title)})`);

  test('a bundle alone is self-consistent only; the key of the log makes it good', async () => {
    await page.goTo(PAGE);
    const { bundle, key } = await sampleBundle();
    await page.choose('#files', [await file('one.tar', bundle)]);
    await shown('Self-consistent only');
    assert.equal((await verdict())[0], 'open');
    assert.deepEqual(await steps('bad'), []);
    await page.drop('#zone', [await file('log.key', `${key}\n`)]);
    await shown('Everything fits');
    const [tone, , reason] = await verdict();
    assert.equal(tone, 'good');
    assert.match(reason, /signed by the key that you gave/);
    const good = await steps('good');
    for (const event of ['accepted', 'verified', 'started', 'extracted', 'published'])
      assert.ok(
        good.some((step) => step.startsWith('inclusion: ') && step.endsWith(event)),
        event,
      );
    const text = await page.evaluate<string>(`document.querySelector('article').textContent`);
    for (const words of [JOB_ID, SCAN_SHA256, ...TEXT.split('\n'), 'harbour', '4711', 'Zoë'])
      assert.ok(text.includes(words), words);
  });

  test('the original is hashed, and fits the document of the bundle or none', async () => {
    await page.goTo(PAGE);
    const { bundle, key } = await sampleBundle();
    await page.choose('#files', [await file('scan.jpg', SCAN)]);
    await shown('compared with nothing yet');
    assert.ok((await page.evaluate<string>('document.body.textContent')).includes(SCAN_SHA256));
    await page.choose('#files', [await file('two.tar', bundle), await file('log.key', key)]);
    await shown('Everything fits');
    assert.ok((await steps('good')).includes('scan: scan.jpg'));
    await page.choose('#files', [await file('other.jpg', Buffer.concat([SCAN, Buffer.of(0)]))]);
    await shown('One check failed');
    assert.deepEqual(await steps('bad'), ['scan: other.jpg']);
  });

  test('of a document that was read again the current text is shown, and the superseded one apart from it', async () => {
    await page.goTo(PAGE);
    const { bundle, key } = await sampleBundle(undefined, { isSuperseded: true });
    await page.choose('#files', [await file('again.tar', bundle), await file('log.key', key)]);
    await shown('Everything fits');
    assert.ok((await steps('good')).includes('supersedes: event 6 superseded'));
    const texts = await page.evaluate<
      [title: string, text: string][]
    >(`[...document.querySelectorAll('details.part')]
      .filter((part) => part.querySelector('pre'))
      .map((part) => [part.querySelector('summary').textContent, part.querySelector('pre').textContent])`);
    assert.deepEqual(texts, [
      ['Text', LATER_TEXT.replaceAll('\n', '')],
      ['Superseded text, published as event 5', TEXT.replaceAll('\n', '')],
    ]);
    const altered = await sampleBundle(
      (files) => void files.get(`${folderOf}/results/5`)!.writeUInt8(0, 60),
      { isSuperseded: true },
    );
    await page.goTo(PAGE);
    await page.choose('#files', [await file('altered.tar', altered.bundle)]);
    await shown('failed');
    assert.match((await steps('bad'))[0]!, /^result: event 5 published$/);
  });

  const folderOf = `documents/${JOB_ID}`;
  const attacks: Record<string, [name: string, at: number, bad: RegExp]> = {
    'a changed text is red, and named': [`${folderOf}/text/page-1.txt`, 5, /^text: page 1$/],
    'a changed result is red, and named': [`${folderOf}/result`, 40, /^result: event 5 published$/],
    'a changed event is red, and named': [`${folderOf}/events/2.leaf`, 160, /^inclusion: event 2 verified$/],
    'a changed packet is red, and named': [
      `${folderOf}/packets/17`,
      90,
      /^packet: delivery 17 in event 2 verified$/,
    ],
    'a changed root is red, and named': ['checkpoint', 52, /^inclusion: event 1 accepted$/],
  };
  for (const [title, [name, at, bad]] of Object.entries(attacks)) {
    test(title, async () => {
      await page.goTo(PAGE);
      const { bundle, key } = await sampleBundle((files) => {
        const bytes = files.get(name)!;
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      });
      await page.choose('#files', [await file('bad.tar', bundle), await file('log.key', key)]);
      await shown('failed');
      assert.equal((await verdict())[0], 'bad');
      const failed = await steps('bad');
      assert.ok(
        failed.some((step) => bad.test(step)),
        failed.join('\n'),
      );
      assert.ok(await page.evaluate(`document.querySelector('.steps li.bad').closest('details').open`));
    });
  }

  test('a key of another log or a checkpoint of the same size with another root is red', async () => {
    await page.goTo(PAGE);
    const { bundle, otherKey, checkpoint } = await sampleBundle();
    await page.choose('#files', [await file('bad.tar', bundle), await file('other.key', otherKey)]);
    await shown('One check failed');
    assert.match((await steps('bad'))[0]!, /^checkpoint signature: /);
    await page.goTo(PAGE);
    const forked = checkpoint.replace(/\n[^\n]{43}=\n/, `\n${Buffer.alloc(32, 3).toString('base64')}\n`);
    await page.choose('#files', [await file('bad.tar', bundle), await file('kept', forked)]);
    await shown('One check failed');
    assert.match((await steps('bad'))[0]!, /^kept checkpoint: /);
    await page.choose('#files', [await file('kept', checkpoint)]);
    await shown('Everything fits');
    assert.match((await verdict())[2], /is the one that you kept/);
  });

  test('a key can be pasted, and nonsense is said to be some', async () => {
    await page.goTo(PAGE);
    const { bundle, key } = await sampleBundle();
    await page.choose('#files', [await file('one.tar', bundle)]);
    await shown('Self-consistent only');
    const paste = (text: string) =>
      page.evaluate(`(() => {
        const box = document.querySelector('#pasted');
        box.value = ${JSON.stringify(text)};
        box.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
    await paste(` ${key} `);
    await shown('Everything fits');
    await paste('nonsense');
    await shown('A file cannot be read');
    await page.choose('#files', [await file('cut.tar', bundle.subarray(0, 2000))]);
    await page.until(`document.querySelector('#verdict p').textContent.includes('cut.tar')`);
  });

  test('a file that cannot be read or shown leaves no good verdict of another standing', async () => {
    await page.goTo(PAGE);
    const { bundle, key } = await sampleBundle();
    const good = [await file('one.tar', bundle), await file('log.key', key)];
    await page.choose('#files', good);
    await shown('Everything fits');
    await page.evaluate(`void (File.prototype.stream = () => { throw new DOMException('it is gone') })`);
    await page.choose('#files', [await file('gone.tar', bundle)]);
    await shown('A file cannot be read');
    assert.match((await verdict())[2], /gone\.tar: .*it is gone/);

    await page.goTo(PAGE);
    await page.choose('#files', good);
    await shown('Everything fits');
    const many = await sampleBundle((files) => {
      const name = `${folderOf}/result`;
      const whole = files.get(name)!;
      const from = whole.indexOf(TEXT) - 4;
      const length = Buffer.alloc(4);
      length.writeInt32BE(300_000);
      files.set(
        name,
        Buffer.concat([
          whole.subarray(0, from),
          length,
          Buffer.alloc(300_000, '\n'),
          whole.subarray(from + 4 + TEXT.length),
        ]),
      );
    });
    await page.choose('#files', [await file('many.tar', many.bundle)]);
    await page.until(`document.querySelector('#verdict').className === 'bad'`);
    assert.equal(
      await page.evaluate(`document.querySelector('#results').innerText.includes('Document')`),
      false,
    );
  });

  test('every checkpoint that was kept is compared', async () => {
    await page.goTo(PAGE);
    const { bundle, checkpoint } = await sampleBundle();
    const forked = checkpoint.replace(/\n[^\n]{43}=\n/, `\n${Buffer.alloc(32, 3).toString('base64')}\n`);
    const given = [await file('kept', checkpoint), await file('kept too', forked)];
    await page.choose('#files', [await file('one.tar', bundle), ...given]);
    await shown('One check failed');
    assert.equal((await steps('good')).filter((step) => step.startsWith('kept checkpoint: ')).length, 1);
  });

  test('it is reached by keyboard, has names for everything that is used, and tells by more than colour', async () => {
    await page.goTo(PAGE);
    await page.call('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key: 'Tab',
      code: 'Tab',
      windowsVirtualKeyCode: 9,
    });
    assert.equal(await page.evaluate('document.activeElement.id'), 'files');
    const { nodes } = (await page.call('Accessibility.getFullAXTree')) as {
      nodes: { role?: { value: string }; name?: { value: string }; ignored: boolean }[];
    };
    const used = nodes.filter(({ role }) => ['button', 'textbox', 'region'].includes(role?.value ?? ''));
    assert.ok(used.length > 0);
    for (const { role, name } of used) assert.notEqual(name?.value ?? '', '', role?.value);
    const { bundle } = await sampleBundle((files) => files.get(`${folderOf}/text/page-1.txt`)!.write('X', 5));
    await page.choose('#files', [await file('bad.tar', bundle)]);
    await shown('failed');
    assert.match(
      await page.evaluate<string>(`document.querySelector('.steps li.bad').textContent`),
      /^✗failed: /,
    );
  });

  test('text in the bundle never becomes markup, and hides nothing', async () => {
    await page.goTo(PAGE);
    const evil = '<img src=x onerror=alert(1)>\u202egpj.exe';
    await page.choose('#files', [await file(`a.txt`, evil), await file('<b>x\u202ey.tar', 'no bundle')]);
    await shown('compared with nothing yet');
    assert.equal(await page.evaluate(`document.querySelectorAll('#given img, #given b b').length`), 0);
    assert.match(
      await page.evaluate<string>(`document.querySelector('#given').textContent`),
      /<b>x⟨U\+202E⟩y\.tar/,
    );
  });

  test('nothing is asked for but the page itself, and its own policy forbids the rest', async () => {
    assert.deepEqual([...new Set(page.requested)], [PAGE]);
    assert.deepEqual(page.complaints, []);
    const tried = `Promise.all(['https://example.org/', 'data:text/plain,x', ${JSON.stringify(PAGE)}].map((to) =>
      fetch(to).then(() => 'fetched', () => 'refused')))`;
    assert.deepEqual(await page.evaluate(tried), ['refused', 'refused', 'refused']);
    const html = await readFile(resolve(import.meta.dirname, '../../../docs/verify.html'), 'utf8');
    const [, policy = ''] = /Content-Security-Policy"\s+content="([^"]*)"/.exec(html) ?? [];
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(html) ?? [];
    const digest = createHash('sha256').update(script).digest('base64');
    assert.ok(policy.startsWith("default-src 'none'; "));
    assert.ok(policy.includes(`script-src 'sha256-${digest}'`));
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.doesNotMatch(html, /\b(src|href)=/);
  });
});
