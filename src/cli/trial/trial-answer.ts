import {
  judgeTrial,
  inPercent,
  totalsByKind,
  worstFirst,
  type TriedDocument,
} from '../../domain/comparison/judge-trial.ts';
import { textDiffers, trialTotals, type TrialTotals } from '../../domain/comparison/trial-totals.ts';
import type { Answer } from '../answer.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import type { Trial } from './trial-standing.ts';

/** So many documents are listed for a person; the JSON has all. */
const MOST_LISTED = 10;

const COUNTS = ['text differs', 'words kept', 'fields kept', 'confidence', 'time', 'would fail'] as const;

/** What is said of a trial: by kind of document, the worst documents, and what all of it says. Ends with 8 where it speaks against it. */
export function trialAnswer(trial: Trial): Answer {
  const { documents, version } = trial;
  const { verdict, statement, totals } = judgeTrial(version, documents);
  const kinds = totalsByKind(documents).filter(([, of]) => of.documents > 0);
  const differing = worstFirst(documents).filter((one) => differs(one));
  return {
    json: {
      trial: trial.trial,
      ocr_version: version,
      reason: trial.reason,
      started_by: trial.startedBy,
      started_at: trial.startedAt,
      ended_at: trial.endedAt,
      verdict,
      statement,
      totals: totalsJson(totals),
      kinds: kinds.map(([kind, of]) => ({ document_kind: kind, ...totalsJson(of) })),
      documents: worstFirst(documents).map((one) => ({
        job_id: one.jobId,
        document_kind: one.kind,
        outcome: one.outcome,
        code: one.code,
        ...(one.compared ? totalsJson(trialTotals([one.compared])) : {}),
      })),
    },
    text: [
      `Trial ${trial.trial} of OCR configuration ${version}, begun ${trial.startedAt} by ${printable(trial.startedBy)}: ${printable(trial.reason)}`,
      ...(totals.documents === 0
        ? []
        : [
            '',
            textTable(
              ['kind', 'documents', 'pages', ...COUNTS],
              [...kinds, ...(kinds.length > 1 ? [['all', totals] as const] : [])].map(([kind, of]) => [
                kind,
                of.documents,
                pagesOf(of),
                ...countsOf(of),
              ]),
            ),
          ]),
      ...(differing.length === 0
        ? []
        : [
            '',
            differing.length > MOST_LISTED
              ? `The ${MOST_LISTED} of ${differing.length} documents that differ most:`
              : 'Documents that differ, the worst first:',
            textTable(['document', 'kind', ...COUNTS], differing.slice(0, MOST_LISTED).map(documentRow)),
          ]),
      '',
      statement,
      ...nextCommands(trial, verdict),
    ].join('\n'),
    exitCode: ['worse', 'looks_worse', 'nothing'].includes(verdict) ? EXIT.checkFailed : EXIT.ok,
  };
}

function differs({ compared, outcome }: TriedDocument): boolean {
  if (!compared) return outcome === 'failed';
  const { characterEdits, failedGates, pagesBefore, pagesAfter, wordsBefore, wordsAfter } = compared;
  return (
    characterEdits > 0 || failedGates.length > 0 || pagesBefore !== pagesAfter || wordsBefore !== wordsAfter
  );
}

function documentRow({ jobId, kind, compared, code }: TriedDocument): (string | null)[] {
  return compared
    ? [jobId, kind, ...countsOf(trialTotals([compared]))]
    : [jobId, kind, null, null, null, null, null, `not read: ${code ?? ''}`];
}

function countsOf(of: TrialTotals): string[] {
  return [
    inPercent(textDiffers(of)),
    of.wordsBefore === 0 ? '–' : `${((100 * of.wordsKept) / of.wordsBefore).toFixed(1)} %`,
    `${of.fieldsKept} of ${of.fieldsBefore}`,
    `${of.confidenceBefore.toFixed(1)} → ${of.confidenceAfter.toFixed(1)}`,
    of.timeRatio === null ? '–' : `× ${of.timeRatio.toFixed(2)}`,
    Object.entries(of.failedGates)
      .map(([code, times]) => (of.documents === 1 ? code : `${code} ${times}`))
      .join(', '),
  ];
}

function pagesOf({ pagesBefore, pagesAfter }: TrialTotals): string {
  return pagesBefore === pagesAfter ? String(pagesBefore) : `${pagesBefore} → ${pagesAfter}`;
}

function totalsJson(of: TrialTotals) {
  return {
    documents: of.documents,
    pages_before: of.pagesBefore,
    pages_after: of.pagesAfter,
    characters_before: of.charactersBefore,
    character_edits: of.characterEdits,
    text_differs: textDiffers(of),
    words_before: of.wordsBefore,
    words_after: of.wordsAfter,
    words_kept: of.wordsKept,
    fields_before: of.fieldsBefore,
    fields_after: of.fieldsAfter,
    fields_kept: of.fieldsKept,
    confidence_before: of.confidenceBefore,
    confidence_after: of.confidenceAfter,
    time_ratio: of.timeRatio,
    failed_gates: of.failedGates,
  };
}

function nextCommands({ trial, version }: Trial, verdict: string): string[] {
  if (verdict === 'under_way') return [`Look again: docket ocr trial show ${trial}`];
  if (verdict === 'nothing') return [];
  const look = `Where words differ: docket ocr trial show ${trial} --html trial-${trial}.html`;
  if (verdict === 'worse' || verdict === 'looks_worse') return [look];
  return [
    ...(verdict === 'same' ? [] : [look]),
    `To have it read a tenth of the documents: docket ocr activate ${version} --share 0.1 --reason WHY`,
  ];
}
