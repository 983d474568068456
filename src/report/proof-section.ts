import { markup } from './html.ts';
import type { Html } from './html.ts';
import type { ReportCheck, ReportProof } from './proof.ts';

/** Whether the record is what it was: every check, what it proves, the replay, and what was planted and found. */
export function proofSection({ checks, copies, claim, replay, tampers }: ReportProof): Html {
  const isWhole = checks.every((check) => check.failed === 0);
  const [first, ...more] = claim;
  return markup`
    <article aria-labelledby="proof">
    <header>
      <h2 id="proof">Is the record what it was?</h2>
      <span class="badge ${isWhole ? 'good' : 'bad'}">${isWhole ? 'verified' : 'not what it was'}</span><a class="up" href="#top">to the summary</a>
    </header>
    <div class="note ${isWhole ? 'good' : 'bad'}"><p>${first}</p>${more.map((sentence) => markup`<p>${sentence}</p>`)}</div>
    <h3>Checkpoints outside the database</h3>
    ${copies.length > 0 ? markup`<ul>${copies.map((copy) => markup`<li><bdi>${copy}</bdi></li>`)}</ul>` : markup`<p>None: no more is claimed than that the log agrees with itself.</p>`}
    <h3>Replay of every published document</h3>
    <p>${replayed(replay)}</p>
    ${tampers.length > 0 && markup`<h3>Planted, found, and taken back</h3>${tampers.map(tamperNote)}`}
    <h3>What was checked</h3>
    ${checkTable(checks, 'Everything that was checked')}
    </article>`;
}

function replayed({ passed, failed, unchecked }: ReportProof['replay']): string {
  const others = [
    ...(failed > 0 ? [`${failed} are not what was published`] : []),
    ...(unchecked > 0 ? [`${unchecked} could not be looked at`] : []),
  ];
  return (
    [
      `${passed} fetched, hashed and compared with the log, and found to be what was published`,
      ...others,
    ].join('; ') + '.'
  );
}

function tamperNote({ what, found }: ReportProof['tampers'][number]): Html {
  if (found.length === 0)
    return markup`<p class="note bad">A superuser changed ${what}: it was not found.</p>`;
  return markup`<p>A superuser changed ${what}. Verification then named it:</p>${checkTable(found, `What found the change of ${what}`)}`;
}

function checkTable(checks: readonly ReportCheck[], label: string): Html {
  const hasFailed = checks.some((check) => check.failed > 0);
  const names = ['First offender', 'Expected', 'Found'].map((name) => markup`<th scope="col">${name}</th>`);
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead><tr><th scope="col">Checked</th><th scope="col" class="number">Count</th><th scope="col" class="number">Failed</th>${hasFailed && names}</tr></thead>
      <tbody>${checks.map((check) => checkRow(check, hasFailed))}</tbody>
    </table>
  </div>`;
}

function checkRow(
  { checked, count, failed, firstOffender, expected, found }: ReportCheck,
  hasFailed: boolean,
): Html {
  const offence = markup`<td><bdi>${firstOffender}</bdi></td>
    <td><code class="hash">${short(expected)}</code></td>
    <td><code class="hash">${short(found)}</code></td>`;
  return markup`<tr>
    <th scope="row">${checked}</th>
    <td class="number">${count}</td>
    <td class="number">${failed > 0 ? markup`<span class="badge bad">${failed}</span>` : 0}</td>
    ${hasFailed && offence}
  </tr>`;
}

/** Enough of a hash to see that it is another. */
function short(text: string | null): string | null {
  return text !== null && text.length > 28 ? `${text.slice(0, 28)}…` : text;
}
