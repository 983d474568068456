import type { Bearer } from './bearer-tokens.ts';
import type { PlantedDocuments } from './planted-documents.ts';
import type { ServerFixture } from './server-fixture.ts';

export const MATTER = 'claim 4711';
const REASON = 'to have something to decide';

/**
 * Has somebody else begin what takes two, and returns what each mutation upon documents is to be done to: documents of its own,
 * so that none is in the way of another.
 */
export async function prepareActs(
  { stage, own, shared, quarantined }: PlantedDocuments,
  server: ServerFixture,
  another: Bearer,
): Promise<Record<string, string[]>> {
  // Nothing was ever seen to match these, so nothing has to be kept.
  const unseen = async () => {
    const job = await stage.deliver({ locator: 'memory:other' });
    await stage.admit();
    await stage.fail(await stage.begin(job, 'hash'), 'HASH_MISMATCH');
    return job;
  };
  const [asked, approved, withdrawn] = [await unseen(), await unseen(), await unseen()];
  const acts = [
    `requestDisposal(input: { documentIds: ${JSON.stringify([approved, withdrawn])}, reason: "${REASON}" })`,
    `placeHold(input: { documentIds: ${JSON.stringify([own])}, matter: "${MATTER}", reason: "${REASON}" })`,
    `amendMetadata(input: { documentIds: ${JSON.stringify([own])}, note: "by post", reason: "${REASON}" })`,
  ];
  for (const act of acts) await server.data(another, `mutation { ${act} { clientMutationId } }`);
  return {
    releaseFromQuarantine: [quarantined],
    requestDisposal: [asked],
    approveDisposal: [approved],
    withdrawDisposal: [withdrawn],
    placeHold: [shared],
    liftHold: [own],
    extendRetention: [own],
    amendMetadata: [own],
  };
}
