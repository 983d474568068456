import type { ReportSignature } from './document.ts';
import { markup } from './html.ts';
import type { Html } from './html.ts';
import { inWords } from './in-words.ts';
import { formatTime } from './measures.ts';

/** Every signature of a document, each with all that was found of it; nothing where there is none. */
export function signatureTable(signatures: readonly ReportSignature[], file: string): Html | undefined {
  if (signatures.length === 0) return undefined;
  return markup` <h3>Signatures<small>${signatures.length}, times in UTC</small></h3>
    <div class="wide" tabindex="0" role="region" aria-label="Signatures of ${file}">
      <table class="signatures">
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Covers</th>
            <th scope="col">Intact</th>
            <th scope="col">Digest is of these bytes</th>
            <th scope="col">Signer</th>
            <th scope="col">Anchor</th>
            <th scope="col">Made</th>
            <th scope="col">Judged for</th>
            <th scope="col">Where</th>
            <th scope="col">Noticed</th>
          </tr>
        </thead>
        <tbody>
          ${signatures.map(row)}
        </tbody>
      </table>
    </div>`;
}

function row(one: ReportSignature): Html {
  return markup`<tr>
    <th scope="row">${inWords(one.status)}<small>${one.meaning}</small></th>
    <td>${coverage(one)}</td>
    <td>${answer(one.isIntact)}</td>
    <td>${answer(one.digestMatches)}</td>
    <td><bdi>${one.signer ?? '–'}</bdi></td>
    <td><bdi>${one.anchor ?? '–'}</bdi></td>
    <td>${one.signedAt === null ? '–' : madeAt(one.signedAt, one.signedAtBy)}</td>
    <td><time>${formatTime(one.judgedAt)}</time></td>
    <td>
      ${one.place}, ${one.format}${one.purpose === 'timestamp' && ', time-stamp'}${one.algorithm !== null && markup`<br /><code>${one.algorithm}</code>`}
    </td>
    <td>${one.findings.map((finding) => markup`<code>${finding}</code> `)}</td>
  </tr>`;
}

function coverage({ coverage: covered, laterChanges }: ReportSignature): Html {
  const changes = laterChanges !== null && laterChanges !== 'none';
  return markup`${covered === null ? '–' : inWords(covered)}${changes && markup`<small>added later: ${inWords(laterChanges)}</small>`}`;
}

function madeAt(at: string, by: string | null): Html {
  const witness = by === 'timestamp' ? 'by a trusted time-stamp' : 'as stated by the signer';
  return markup`<time>${formatTime(at)}</time><small>${witness}</small>`;
}

function answer(value: boolean | null): string {
  return value === null ? 'not known' : value ? 'yes' : 'no';
}
