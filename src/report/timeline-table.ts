import type { ReportEvent } from './document.ts';
import { markup } from './html.ts';
import type { Html } from './html.ts';
import { formatSince, formatTime } from './measures.ts';

/** The audit events of a document in order, each with the check of its link to the one before. */
export function timelineTable(events: readonly ReportEvent[], file: string): Html {
  const first = events[0]?.at ?? '';
  return markup` <h3>Timeline<small>${events.length} events, times in UTC</small></h3>
    <div class="wide" tabindex="0" role="region" aria-label="Timeline of ${file}">
      <table class="timeline">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="number">Since</th>
            <th scope="col">Event</th>
            <th scope="col">State</th>
            <th scope="col">Actor</th>
            <th scope="col">Reason</th>
            <th scope="col" class="number">Attempt</th>
            <th scope="col">Chain</th>
          </tr>
        </thead>
        <tbody>
          ${events.map(
            (event) =>
              markup`<tr>
                <td><time>${formatTime(event.at)}</time></td>
                <td class="number">${formatSince(first, event.at)}</td>
                <th scope="row">${event.event}</th>
                <td>${event.state}</td>
                <td>${event.actor}</td>
                <td>
                  ${event.code && markup`<code>${event.code}</code> `}${event.reason && markup`<bdi>${event.reason}</bdi>`}
                </td>
                <td class="number">${event.attempt ?? ''}</td>
                <td class="${event.chainOk ? 'ok' : 'broken'}">
                  <span aria-hidden="true">${event.chainOk ? '✓' : '✗'}</span
                  ><span class="unseen">${event.chainOk ? 'link checked' : 'link broken'}</span>
                  <code class="hash" title="${event.hash}">${event.hash.slice(0, 12)}</code>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}
