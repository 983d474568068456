import * as commands from '../../src/db/commands.ts';
import { deliverNumbered } from '../sql/deliver-numbered.ts';
import { page, randomHash, result, Stage } from '../sql/stage.ts';
import { signatureReport, verifySigned, type Looked } from '../sql/verify-signed.ts';
import type { TestDatabase } from '../support/database.ts';
import { createSender } from '../support/logins.ts';
import { plantReceipt } from './planted-receipt.ts';

/** Personal data on the pages below; analysts see a █ for each of their characters. */
export const PLANTED = {
  name: 'Wilhelmina Quast',
  phone: '+49 40 5550147',
  email: 'w.quast@haven-freight.example',
  iban: 'DE75512108001245126199',
} as const;

/** What stands in the clear on the page of each document. */
export const CONTAINER = { own: 'MSKU1234565', shared: 'TGHU7654321', foreign: 'CMAU0000014' } as const;

/** Documents of two sources in all states that matter, some of them redacted, and searchable. */
export interface PlantedDocuments {
  readonly stage: Stage;
  /** Published by carrier-a, with an envelope by a stranger; its sender has a receipt. */
  readonly own: string;
  /** Published by carrier-a; carrier-b has delivered the same bytes, later. */
  readonly shared: string;
  /** Published by carrier-b alone. */
  readonly foreign: string;
  /** Quarantined, of carrier-a and of carrier-b. */
  readonly quarantined: string;
  readonly foreignQuarantined: string;
  /** Delivered by carrier-a as its third scan, and not verified yet; the first two are missing. */
  readonly unverified: string;
  /** Published by carrier-a; the active rules have not redacted it. */
  readonly withheld: string;
}

type Word = [text: string, confidence: number, x0: number, y0: number, x1: number, y1: number];

/** Brings the documents about by the commands of workers. */
export async function plantDocuments(database: TestDatabase): Promise<PlantedDocuments> {
  const stage = await Stage.open(database);
  const foreigner = await createSender(database, 'carrier-b');

  async function publish(
    lines: readonly string[],
    sender = stage.sender,
    { sha256 = randomHash(), looked = [] }: { sha256?: Buffer; looked?: readonly Looked[] } = {},
  ) {
    const job = await stage.deliver({ sha256, locator: `memory:${sender.sourceId}` }, sender);
    await stage.admit();
    await verifySigned(stage, await stage.begin(job, 'hash'), looked);
    await stage.record(await stage.begin(job, 'ocr'), result({ pages: [textPage(lines)] }));
    await stage.publish(await stage.begin(job, 'publish'));
    return job;
  }
  async function quarantine(sender = stage.sender) {
    const job = await stage.deliver({ locator: `memory:${sender.sourceId}` }, sender);
    await stage.admit();
    await stage.verify(await stage.begin(job, 'hash'));
    await stage.fail(await stage.begin(job, 'ocr'), 'CORRUPT');
    return job;
  }

  const hash = randomHash();
  const looked = [{ place: 'envelope', reports: [signatureReport({ status: 'unknown_signer' })] }] as const;
  const own = await publish(letter(CONTAINER.own), stage.sender, { looked });
  await plantReceipt(stage, own);
  const shared = await publish(letter(CONTAINER.shared), stage.sender, { sha256: hash });
  const foreign = await publish(letter(CONTAINER.foreign), foreigner);
  await stage.deliver({ sha256: hash, locator: 'memory:elsewhere' }, foreigner);
  await stage.admit();
  await confirmDeliveries(stage);
  const quarantined = await quarantine();
  const foreignQuarantined = await quarantine(foreigner);
  const unverified = await deliverNumbered(stage, 3);
  await redactAll(stage);
  const withheld = await publish(letter('HLXU2000009'));
  await indexAll(stage);
  await limitFlow(database);
  return { stage, own, shared, foreign, quarantined, foreignQuarantined, unverified, withheld };
}

/** A page of a delivery receipt that has all of the personal data on it. */
function letter(container: string): string[] {
  return [
    'DELIVERY RECEIPT',
    `Container ${container} received in good order`,
    `Consignee ${PLANTED.name}`,
    `Phone ${PLANTED.phone} mail ${PLANTED.email}`,
    `Account ${PLANTED.iban}`,
  ];
}

/** A page as the engine reads it from these lines. */
function textPage(lines: readonly string[]): Record<string, unknown> {
  const words = lines.flatMap((line, row) =>
    line
      .split(' ')
      .map((word, column): Word => [
        word,
        90,
        100 + column * 150,
        100 + row * 60,
        240 + column * 150,
        140 + row * 60,
      ]),
  );
  return page(lines.join('\n'), { width: 2000, words });
}

/** A limit and a closed gate that hold up nothing of what is planted, each a change; and an alert of that gate. */
async function limitFlow(database: TestDatabase): Promise<void> {
  await database.pool().query(
    `select docket.set_flow_limit('source:carrier-a', '{"max_waiting": 1000000}', 'a test'),
         docket.close_admission('kind:terms', 'a test');
     insert into docket.alerts (subject, severity, fact, next_command)
     values ('admission:kind:terms', 'warning', 'A test.', 'docket status')`,
  );
}

/** Records of waiting deliveries by further sources that their bytes matched, as a worker that read them would. */
async function confirmDeliveries(stage: Stage): Promise<void> {
  const claimed = await commands.claimDeliveryChecks(stage.worker, { limit: 100 });
  await commands.recordDeliveryChecks(stage.worker, {
    deliveries: claimed.map((one) => one.delivery_id),
    codes: claimed.map(() => null),
  });
}

/**
 * Redacts what waits for it. The masks are those of this file, whatever the built-in rules find: what the tests look for is
 * then known to have been found.
 */
async function redactAll(stage: Stage): Promise<void> {
  const claimed = await commands.claimRedactions(stage.worker, { limit: 1000, bytes: 10_000_000 });
  await commands.recordRedactions(stage.worker, {
    ruleSets: claimed.map((one) => one.rule_set_id),
    jobs: claimed.map((one) => one.job_id),
    attempts: claimed.map((one) => one.attempt),
    pageNos: claimed.map((one) => one.page_no),
    texts: claimed.map((one) => Object.values(PLANTED).reduce(masked, one.text)),
    words: claimed.map((one) => JSON.stringify((one.words as Word[]).filter(([word]) => !isPlanted(word)))),
    masks: claimed.map((one) =>
      JSON.stringify(
        Object.entries(PLANTED).map(([reason, value]) => ({
          rule: `test_${reason}`,
          reason,
          start: one.text.indexOf(value),
          length: value.length,
          boxes: [],
        })),
      ),
    ),
  });
}

function masked(text: string, value: string): string {
  return text.replaceAll(value, value.replaceAll(/\S/g, '█'));
}

function isPlanted(word: string): boolean {
  return Object.values(PLANTED).some((value) => value.split(' ').includes(word));
}

async function indexAll(stage: Stage): Promise<void> {
  for (let isMore = true; isMore;) {
    const [row] = await commands.indexPages(stage.worker, { limit: 1000 });
    isMore = row?.is_more ?? false;
  }
}
