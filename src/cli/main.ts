#!/usr/bin/env node
import { CommanderError } from 'commander';
import { loadConfig } from '../config.ts';
import { DocketError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { writeAnswer } from './answer.ts';
import { errorAnswer, toDocketError } from './cli-error.ts';
import { createCliLog } from './cli-log.ts';
import { EXIT } from './exit-codes.ts';
import { printable } from './printable.ts';
import { buildProgram } from './program.ts';
import { listenForInterrupts } from './interrupts.ts';
import type { Verb } from './verb.ts';
import bundle from './verbs/bundle.ts';
import bundleVerify from './verbs/bundle-verify.ts';
import census from './verbs/census.ts';
import certificate from './verbs/certificate.ts';
import alertList from './verbs/alert-list.ts';
import alertShow from './verbs/alert-show.ts';
import alertWebhookAdd from './verbs/alert-webhook-add.ts';
import alertWebhookDisable from './verbs/alert-webhook-disable.ts';
import alertWebhookEnable from './verbs/alert-webhook-enable.ts';
import alertWebhookList from './verbs/alert-webhook-list.ts';
import amend from './verbs/amend.ts';
import admissionClose from './verbs/admission-close.ts';
import admissionOpen from './verbs/admission-open.ts';
import admissionShow from './verbs/admission-show.ts';
import changes from './verbs/changes.ts';
import drain from './verbs/drain.ts';
import laneList from './verbs/lane-list.ts';
import laneSet from './verbs/lane-set.ts';
import laneWindow from './verbs/lane-window.ts';
import limitClear from './verbs/limit-clear.ts';
import limitList from './verbs/limit-list.ts';
import limitSet from './verbs/limit-set.ts';
import poolList from './verbs/pool-list.ts';
import poolSet from './verbs/pool-set.ts';
import prioritise from './verbs/prioritise.ts';
import redrive from './verbs/redrive.ts';
import resume from './verbs/resume.ts';
import undo from './verbs/undo.ts';
import checkpointKeys from './verbs/checkpoint-keys.ts';
import checkpointList from './verbs/checkpoint-list.ts';
import checkpointRotate from './verbs/checkpoint-rotate.ts';
import checkpointShow from './verbs/checkpoint-show.ts';
import demo from './verbs/demo.ts';
import doctor from './verbs/doctor.ts';
import holdLift from './verbs/hold-lift.ts';
import holdPlace from './verbs/hold-place.ts';
import keyBackup from './verbs/key-backup.ts';
import keyRewrap from './verbs/key-rewrap.ts';
import keyRotate from './verbs/key-rotate.ts';
import keyShow from './verbs/key-show.ts';
import loadtest from './verbs/loadtest.ts';
import migrate from './verbs/migrate.ts';
import ocrActivate from './verbs/ocr-activate.ts';
import ocrAdd from './verbs/ocr-add.ts';
import ocrAutomatic from './verbs/ocr-automatic.ts';
import ocrCanaryClear from './verbs/ocr-canary-clear.ts';
import ocrList from './verbs/ocr-list.ts';
import ocrShow from './verbs/ocr-show.ts';
import ocrReread from './verbs/ocr-reread.ts';
import ocrRereadings from './verbs/ocr-rereadings.ts';
import ocrTrial from './verbs/ocr-trial.ts';
import ocrTrialList from './verbs/ocr-trial-list.ts';
import ocrTrialShow from './verbs/ocr-trial-show.ts';
import original from './verbs/original.ts';
import policyList from './verbs/policy-list.ts';
import policySet from './verbs/policy-set.ts';
import quarantineApproveDisposal from './verbs/quarantine-approve-disposal.ts';
import quarantineList from './verbs/quarantine-list.ts';
import quarantineRelease from './verbs/quarantine-release.ts';
import quarantineRequestDisposal from './verbs/quarantine-request-disposal.ts';
import quarantineShow from './verbs/quarantine-show.ts';
import quarantineWithdrawDisposal from './verbs/quarantine-withdraw-disposal.ts';
import receiptKeys from './verbs/receipt-keys.ts';
import receiptRotate from './verbs/receipt-rotate.ts';
import receiptShow from './verbs/receipt-show.ts';
import receiptVerify from './verbs/receipt-verify.ts';
import recoveryDeclare from './verbs/recovery-declare.ts';
import replayList from './verbs/replay-list.ts';
import replayPlan from './verbs/replay-plan.ts';
import replayShow from './verbs/replay-show.ts';
import replay from './verbs/replay.ts';
import retentionExtend from './verbs/retention-extend.ts';
import retentionList from './verbs/retention-list.ts';
import retentionSet from './verbs/retention-set.ts';
import rollback from './verbs/rollback.ts';
import rollbackList from './verbs/rollback-list.ts';
import rollbackResume from './verbs/rollback-resume.ts';
import rollbackShow from './verbs/rollback-show.ts';
import rulesActivate from './verbs/rules-activate.ts';
import rulesList from './verbs/rules-list.ts';
import rulesShow from './verbs/rules-show.ts';
import rulesStage from './verbs/rules-stage.ts';
import serve from './verbs/serve.ts';
import signaturesRecheck from './verbs/signatures-recheck.ts';
import signatures from './verbs/signatures.ts';
import sloList from './verbs/slo-list.ts';
import sloSet from './verbs/slo-set.ts';
import sourceAdd from './verbs/source-add.ts';
import sourceDisable from './verbs/source-disable.ts';
import sourceEnable from './verbs/source-enable.ts';
import sourceGaps from './verbs/source-gaps.ts';
import sourceList from './verbs/source-list.ts';
import sourceRotate from './verbs/source-rotate.ts';
import status from './verbs/status.ts';
import submit from './verbs/submit.ts';
import text from './verbs/text.ts';
import timeline from './verbs/timeline.ts';
import token from './verbs/token.ts';
import top from './verbs/top.ts';
import trustAdd from './verbs/trust-add.ts';
import trustList from './verbs/trust-list.ts';
import trustWithdraw from './verbs/trust-withdraw.ts';
import up from './verbs/up.ts';
import verify from './verbs/verify.ts';
import webhookAdd from './verbs/webhook-add.ts';
import webhookDisable from './verbs/webhook-disable.ts';
import webhookEnable from './verbs/webhook-enable.ts';
import webhookList from './verbs/webhook-list.ts';
import why from './verbs/why.ts';
import worker from './verbs/worker.ts';

const VERBS = [
  demo,
  up,
  worker,
  serve,
  migrate,
  doctor,
  verify,
  loadtest,
  replay,
  replayList,
  replayShow,
  replayPlan,
  ocrTrial,
  ocrTrialList,
  ocrTrialShow,
  ocrReread,
  ocrRereadings,
  census,
  bundle,
  bundleVerify,
  certificate,
  sourceAdd,
  sourceRotate,
  sourceEnable,
  sourceDisable,
  sourceList,
  sourceGaps,
  submit,
  status,
  top,
  text,
  original,
  timeline,
  why,
  signatures,
  signaturesRecheck,
  token,
  quarantineList,
  quarantineShow,
  quarantineRelease,
  quarantineRequestDisposal,
  quarantineApproveDisposal,
  quarantineWithdrawDisposal,
  holdPlace,
  holdLift,
  retentionList,
  retentionSet,
  retentionExtend,
  amend,
  trustAdd,
  trustList,
  trustWithdraw,
  policySet,
  policyList,
  keyShow,
  keyBackup,
  keyRotate,
  keyRewrap,
  receiptVerify,
  receiptShow,
  receiptKeys,
  receiptRotate,
  checkpointList,
  checkpointShow,
  checkpointKeys,
  checkpointRotate,
  recoveryDeclare,
  rulesList,
  rulesShow,
  rulesStage,
  rulesActivate,
  webhookAdd,
  webhookList,
  webhookEnable,
  webhookDisable,
  sloList,
  sloSet,
  alertList,
  alertShow,
  alertWebhookAdd,
  alertWebhookList,
  alertWebhookEnable,
  alertWebhookDisable,
  poolList,
  poolSet,
  limitList,
  limitSet,
  limitClear,
  admissionShow,
  admissionClose,
  admissionOpen,
  laneList,
  laneSet,
  laneWindow,
  drain,
  resume,
  changes,
  undo,
  ocrList,
  ocrShow,
  ocrAdd,
  ocrActivate,
  ocrCanaryClear,
  ocrAutomatic,
  rollback,
  rollbackResume,
  rollbackList,
  rollbackShow,
  redrive,
  prioritise,
];

/** Runs one command line and returns how the process must end. */
async function main(args: readonly string[]): Promise<number> {
  const json = args.includes('--json');
  let exitCode: number = EXIT.ok;
  const program = buildProgram(VERBS, async (verb, given) => {
    exitCode = await perform(verb, given, json);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return fail(toUsageError(error, program.helpInformation()), json);
  }
}

async function perform(verb: Verb, given: Record<string, unknown>, json: boolean): Promise<number> {
  const input = Object.fromEntries(
    Object.entries(given).filter(([name]) => name !== 'json' && name !== 'verbose'),
  );
  const config = loadConfig();
  const log = createCliLog(config.logLevel, given['verbose'] === true ? 'all' : verb.logs);
  const interrupted = listenForInterrupts();
  try {
    const answer = await verb.perform(input, {
      config,
      log,
      json,
      live: process.stderr.isTTY,
      interrupted,
      answer: (early: Answer) => writeAnswer(early, json),
      tell: (line) => process.stderr.write(`${printable(line)}\n`),
    });
    if (answer) await writeAnswer(answer, json);
    return answer?.exitCode ?? EXIT.ok;
  } catch (error) {
    const failure = toDocketError(error);
    if (failure.code === 'INTERNAL_ERROR') log.error({ err: error }, 'not foreseen');
    return fail(failure, json);
  }
}

/** Tells of an error: as JSON on standard output, else on standard error. */
async function fail(error: DocketError, json: boolean): Promise<number> {
  const answer = errorAnswer(error);
  if (json) await writeAnswer(answer, true);
  else process.stderr.write(`${answer.text}\n`);
  return answer.exitCode ?? EXIT.internal;
}

function toUsageError(error: unknown, help: string): DocketError {
  if (!(error instanceof CommanderError)) return toDocketError(error);
  if (error.code === 'commander.help')
    return new DocketError('USAGE', `a command is missing\n\n${help.trimEnd()}`);
  return new DocketError('USAGE', error.message.replace(/^error: /, ''), {
    hint: `docket ${'verb' in error ? `${String(error.verb)} ` : ''}--help`,
  });
}

process.stdout.on('error', () => process.exit(EXIT.ok));
// What may still be under way, such as a connection attempt, does not keep the program from ending.
process.exit(await main(process.argv.slice(2)));
