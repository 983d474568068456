import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetObjectLegalHoldCommand, PutObjectRetentionCommand } from '@aws-sdk/client-s3';
import { eventually } from '../support/eventually.ts';
import { createBucket, objectServer, plainClient, skipWithoutServer } from '../support/object-server.ts';
import { objectsOf, settingsFor } from './bucket-of-docket.ts';
import { DisposalRun, RUN_TIMEOUT_MS } from './disposal-run.ts';

const WAIT = { withinMs: 60_000, everyMs: 100 };

test(
  'disposal where the bucket has Object Lock',
  { skip: skipWithoutServer, timeout: RUN_TIMEOUT_MS },
  async (t) => {
    let run: DisposalRun;
    let bucket: string;
    const server = objectServer()!;
    const plain = plainClient(server);
    t.before(async () => {
      bucket = await createBucket(plain, { hasObjectLock: true });
      const settings = settingsFor(server, bucket);
      // This process puts scans too.
      process.env['AWS_ACCESS_KEY_ID'] = server.accessKeyId;
      process.env['AWS_SECRET_ACCESS_KEY'] = server.secretAccessKey;
      run = await DisposalRun.start(settings);
    });
    t.after(async () => {
      await run.remove();
      plain.destroy();
    });

    await t.test(
      'a hold in the database is one in the store; what the store keeps nobody can read',
      { timeout: RUN_TIMEOUT_MS },
      async () => {
        const doomed = await run.publish('12-weighbridge-ticket-phone.jpg', { name: 'Aurelia Quillfeather' });
        const Key = doomed.object.locator.slice(`s3://${bucket}/`.length);
        const named = { Bucket: bucket, Key, VersionId: doomed.object.version ?? undefined };
        const [copy] = [...(await objectsOf(plain, bucket)).values()];
        const act = (words: string[], login: string) =>
          run.home.json([...words, doomed.job, '--reason', 'claim 7', '--as', login]);
        const holdIs = (status: string) =>
          eventually(
            `the hold in the store is ${status}`,
            async () => {
              // An object that was never held has no answer.
              const answer = await plain.send(new GetObjectLegalHoldCommand(named)).catch(() => undefined);
              return answer?.LegalHold?.Status === status;
            },
            WAIT,
          );
        const events = async () =>
          (
            await run.ask<{ event: string; until: string | null }>(
              `select event, detail::json ->> 'until' as until from docket_audit.events where job_id = $1 and event like 'object%'`,
              { values: [doomed.job] },
            )
          ).map(({ event, until }) => [event, until]);

        await act(['hold', 'place', '--matter', 'claim 7'], 'anna');
        await holdIs('ON');
        await act(['hold', 'lift', '--matter', 'claim 7'], 'ben');
        await holdIs('OFF');

        // Somebody else had the store keep it for an hour more.
        const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
        const retention = { Mode: 'GOVERNANCE', RetainUntilDate: until } as const;
        await plain.send(new PutObjectRetentionCommand({ ...named, Retention: retention }));
        await run.requestDisposal(doomed.job, 'anna');
        await act(['quarantine', 'approve-disposal'], 'ben');
        const told = until.toISOString().replace('.000Z', 'Z');
        await eventually('the refusal is told', async () => (await events()).length === 1, WAIT);
        assert.deepEqual(await events(), [['object_kept', told]]);
        assert.equal(await run.canOpen(copy!, doomed), false);
        const census = await run.home.json<{
          counts: Record<string, number>;
          findings: { finding: string; until: string }[];
        }>(['census']);
        assert.equal(census.counts['disposed'], 1);
        assert.deepEqual(
          census.findings.map(({ finding, until: kept }) => [finding, kept]),
          [['disposed', told]],
        );

        // When that is over it goes.
        await plain.send(
          new PutObjectRetentionCommand({
            ...named,
            BypassGovernanceRetention: true,
            Retention: { Mode: 'GOVERNANCE', RetainUntilDate: new Date(Date.now() + 2_000) },
          }),
        );
        await eventually(
          'it is removed, with every version of it',
          async () => {
            await run.ask(
              `update docket.object_orders set due_at = now() where due_at > now() + interval '3 min'`,
            );
            return (await objectsOf(plain, bucket)).size === 0;
          },
          // One more refusal may come first, and after it half a minute to a minute and a half.
          { withinMs: 180_000, everyMs: 500 },
        );
        await eventually('that is told', async () => (await events()).length === 2, WAIT);
        assert.deepEqual((await events())[1], ['object_removed', null]);
        const after = await run.home.json<{ ok: boolean; counts: Record<string, number> }>(['census']);
        assert.deepEqual([after.ok, after.counts['disposed'], after.counts['missing']], [true, 0, 0]);
      },
    );
  },
);
