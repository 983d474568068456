// The page that verifies without a network: whatever is dropped on it is read, recomputed and shown, and goes nowhere.
import { verifyBundle, type TrustedKeys } from '../verify-bundle.ts';
import { documentView } from './document-view.ts';
import { byId, element } from './element.ts';
import { sign, stepsView } from './steps-view.ts';
import { takeFile, takeText, type TakenFile } from './taken-file.ts';
import { compareScan, verdictOf, type Findings, type Verdict } from './verdict.ts';

const chooser = byId('files', HTMLInputElement);
const pasted = byId('pasted', HTMLTextAreaElement);
const zone = byId('zone', HTMLElement);
const parts = { given: byId('given', HTMLElement), verdict: byId('verdict', HTMLElement) };
const results = byId('results', HTMLElement);

const MEANINGS: Readonly<Record<TakenFile['kind'], string>> = {
  bundle: 'a bundle',
  'log keys': 'public keys of logs or witnesses',
  'receipt keys': 'public keys of receipts',
  checkpoint: 'a checkpoint that you kept',
  scan: 'the scan of a document',
  refused: 'nothing that can be read',
};

let taken: readonly TakenFile[] = [];

async function take(files: Iterable<File>): Promise<void> {
  document.body.setAttribute('aria-busy', 'true');
  // What was said before is not said of these.
  say({ tone: 'open', title: 'Reading', reason: 'Large files take a while.' });
  for (const file of files) {
    const one = await takeFile(file);
    // A file that is given again replaces what it was.
    taken = [...taken.filter(({ name }) => name !== one.name), one];
  }
  show();
  document.body.removeAttribute('aria-busy');
}

function show(): void {
  const all = [...taken, ...fromPasted()];
  parts.given.replaceChildren(
    ...all.map(({ name, kind }) =>
      element('li', {}, element('b', {}, name), `, taken for ${MEANINGS[kind]}`),
    ),
  );
  try {
    const findings = find(all);
    showSteps(findings);
    say(verdictOf(findings));
  } catch (error) {
    // Such as more than the browser can hold. What is shown of other files must not be taken for this.
    results.replaceChildren();
    say({ tone: 'bad', title: 'This cannot be verified here', reason: String(error) });
  }
}

function say(verdict: Verdict | undefined): void {
  parts.verdict.className = verdict?.tone ?? '';
  parts.verdict.replaceChildren(
    ...(verdict
      ? [element('h2', {}, sign(verdict.tone), verdict.title), element('p', {}, verdict.reason)]
      : []),
  );
}

function showSteps(findings: Findings): void {
  results.replaceChildren(
    ...(findings.scans.length > 0
      ? [element('h3', {}, 'Scans'), stepsView(findings.scans.map(({ step }) => step)), scanFacts(findings)]
      : []),
    ...findings.bundles.flatMap(({ name, verified }) => [
      element('h3', {}, name),
      stepsView(verified.steps.filter(({ jobId }) => jobId === null)),
      ...verified.documents.map(documentView),
    ]),
  );
}

function fromPasted(): TakenFile[] {
  const text = pasted.value.trim();
  if (text === '') return [];
  const name = 'What was pasted';
  try {
    const none = { name, kind: 'refused', why: 'it is no public key and no checkpoint' } as const;
    return [takeText(name, `${text}\n`) ?? none];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [{ name, kind: 'refused', why: error.message }];
  }
}

function find(all: readonly TakenFile[]): Findings {
  const of = <Kind extends TakenFile['kind']>(kind: Kind) =>
    all.filter((one): one is Extract<TakenFile, { kind: Kind }> => one.kind === kind);
  const keys: TrustedKeys = {
    logKeys: of('log keys').flatMap((one) => one.keys),
    receiptKeys: of('receipt keys').flatMap((one) => one.keys),
    checkpoints: of('checkpoint').map((one) => one.checkpoint),
  };
  const bundles = of('bundle').map(({ name, bundle }) => ({ name, verified: verifyBundle(bundle, keys) }));
  const verified = bundles.map((one) => one.verified);
  return {
    bundles,
    scans: of('scan').map((scan) => ({ scan, step: compareScan(scan, verified) })),
    refused: of('refused'),
  };
}

function scanFacts({ scans }: Findings): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    ...scans.flatMap(({ scan }) => [
      element('dt', {}, `SHA-256 of ${scan.name}, ${scan.sizeBytes} bytes`),
      element('dd', {}, element('code', {}, scan.sha256)),
      element('dt', {}, 'Id of the document that has these bytes'),
      element('dd', {}, element('code', {}, scan.jobId)),
    ]),
  );
}

chooser.addEventListener('change', () => {
  void take(chooser.files ?? []);
});
pasted.addEventListener('input', show);
for (const kind of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  // On the whole page: a file that misses the frame must not be opened in its place.
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    zone.classList.toggle('over', kind === 'dragenter' || kind === 'dragover');
  });
}
document.addEventListener('drop', ({ dataTransfer }) => {
  void take(dataTransfer?.files ?? []);
});
