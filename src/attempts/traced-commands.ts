import type { Trace } from '../traces.ts';
import type { AttemptCommands } from './attempt-commands.ts';

/** The commands of an attempt, each call a step of its trace. */
export function tracedCommands(commands: AttemptCommands, trace: Trace): AttemptCommands {
  return {
    begin: (...given) => commands.begin(...given),
    readEnvelopes: (...given) => trace.step('read_envelopes', () => commands.readEnvelopes(...given)),
    recordVerified: (...given) => trace.step('record_verified', () => commands.recordVerified(...given)),
    recordResult: (...given) => trace.step('record_results', () => commands.recordResult(...given)),
    publishResult: (...given) => trace.step('publish_results', () => commands.publishResult(...given)),
    fail: (...given) => trace.step('fail_attempts', () => commands.fail(...given)),
  };
}
