/**
 * Publishes a validated result; as a rule right after it was recognised, else when a message of the queue says that it is due.
 *   reads    nothing
 *   does     nothing: that nobody else has the job, and that it has a valid result, is checked by the command
 *   records  docket.publish_results
 *   fails    with INTERNAL_ERROR only
 */
import { defineTask } from '../attempts/define-task.ts';

export default defineTask({
  name: 'publish',
  overrun: 'INTERNAL_ERROR',
  run(attempt, { commands }) {
    return commands.publishResult(attempt);
  },
});
