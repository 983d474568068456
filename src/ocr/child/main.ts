import sharp from 'sharp';
import { DocketError } from '../../errors.ts';
import type { Answer, Order } from '../protocol.ts';
import { explainFailure } from './explain-failure.ts';
import { readFacts } from './facts.ts';
import { openDocument } from './open-document.ts';
import type { PageSource } from './page-image.ts';
import { readPage } from './read-page.ts';
import { startRecogniser } from './recogniser.ts';
import type { Recogniser } from './recogniser.ts';

/**
 * The process in which all decoding and recognition happens. It gets a path, answers page by page over the IPC channel,
 * and holds nothing worth stealing: no connection, no key, an empty environment.
 */
sharp.cache(false);
sharp.concurrency(1);
// Of libvips' decoders only those for what is read here.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadTiff'] });

function answer(message: Answer): void {
  process.send?.(message);
}

async function recognise(order: Order, recogniser: Recogniser): Promise<void> {
  const document = await openDocument(order.file, order);
  answer({ type: 'opened', declared: document.declared });
  try {
    answer(await readPages(document, order, recogniser));
    await document.close();
  } catch (error) {
    // After any other failure the decoder cannot be asked to tidy up; its memory goes with the process.
    if (error instanceof DocketError) await document.close();
    throw error;
  }
}

async function readPages(document: PageSource, order: Order, recogniser: Recogniser): Promise<Answer> {
  const warnings: string[] = [...document.warnings];
  const isTired = (): boolean => process.memoryUsage.rss() > order.restAbove;
  let pageNo = order.fromPage;
  let decoded = 0;
  for (; pageNo <= document.declared; pageNo += 1) {
    const image = await document.page(pageNo, warnings);
    if (image !== undefined) {
      answer({ type: 'page', page: await readPage(image, recogniser) });
      decoded += 1;
    }
    if (isTired()) {
      pageNo += 1;
      break;
    }
  }
  if (decoded === 0)
    throw new DocketError('CORRUPT', 'none of the pages that the document claims to have is there');
  return { type: 'done', nextPage: pageNo <= document.declared ? pageNo : 0, warnings, tired: isTired() };
}

const recogniser = await startRecogniser();
process.on('message', (order: Order) => {
  recognise(order, recogniser).catch((error: unknown) => answer(explainFailure(error)));
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C at a terminal reaches the whole group of processes; the parent decides when this one ends.
process.on('SIGINT', () => undefined);
answer({ type: 'ready', facts: await readFacts(recogniser) });
