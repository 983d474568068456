import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readWitnesses } from '../../src/checkpoints/witness-list.ts';
import { createWitnesses } from '../../src/checkpoints/witnesses.ts';
import { LittleWitness } from './little-witness.ts';
import { LogStage } from './log-stage.ts';

async function withWitnesses(...names: string[]) {
  const log = await LogStage.open();
  const witnesses = await Promise.all(names.map((name) => LittleWitness.start(name)));
  const { rows } = await log.db.query<{ origin: string }>('select origin from docket_audit.epochs');
  const { origin } = rows[0]!;
  const { publicKey } = await log.signer.current();
  for (const witness of witnesses) witness.trust(origin, publicKey);
  const path = `${log.home}/witnesses`;
  await writeFile(path, `# who cosigns\n\n${witnesses.map((one) => one.line).join('\n')}\n`);
  const open = async (areWitnessesRequired: boolean) =>
    log.publisher({ witnesses: createWitnesses(await readWitnesses(path)), areWitnessesRequired });
  return { log, witnesses, origin, open };
}

test('witnesses cosign each checkpoint by a proof from the one before, and their lines stand in the note that is recorded', async () => {
  const { log, witnesses, origin, open } = await withWitnesses('witness.example/w1', 'witness.example/w2');
  const publisher = await open(false);
  const sizes: number[] = [];
  for (const documents of [1, 2, 4]) {
    sizes.push(await log.grow(documents));
    assert.equal(await publisher.round(), true);
  }
  for (const note of await log.recorded()) {
    const [own, ...lines] = note.signatures;
    assert.equal(own!.name, origin);
    assert.equal(lines.length, 2);
    for (const [at, witness] of witnesses.entries()) assert.ok(witness.hasCosigned(note.text, lines[at]!));
  }
  const [one, two, three] = sizes;
  assert.deepEqual(witnesses[0]!.asked, [`0 ${one}`, `${one} ${two}`, `${two} ${three}`]);
  assert.deepEqual(witnesses[0]!.state.get(origin)!.root.toString('base64'), await log.rootAt(three!));
  assert.deepEqual(
    (await log.places()).map(({ place, size, failure }) => [
      place.replace(/.*:/, 'file:').slice(0, 5),
      size,
      failure,
    ]),
    [
      ['file:', String(three), null],
      ['witne', String(three), null],
      ['witne', String(three), null],
    ],
  );

  // A worker that begins anew does not know how far they are, and is told.
  const more = await log.grow();
  assert.equal(await (await open(false)).round(), true);
  assert.deepEqual(witnesses[1]!.asked.slice(-2), [`0 ${more}`, `${three} ${more}`]);
});

test('best effort goes on without a witness that fails, which gets the next checkpoint by a longer proof', async () => {
  const { log, witnesses, open } = await withWitnesses('witness.example/good', 'witness.example/bad');
  const [good, bad] = witnesses as [LittleWitness, LittleWitness];
  const publisher = await open(false);
  const first = await log.grow();
  await publisher.round();
  for (const mood of ['silent', 'broken', 'lying'] as const) {
    bad.mood = mood;
    await log.grow();
    assert.equal(await publisher.round(), true, mood);
    const { signatures, text } = (await log.recorded()).at(-1)!;
    assert.equal(signatures.length, 2, mood);
    assert.ok(good.hasCosigned(text, signatures[1]!));
  }
  assert.match(log.logged[0]!.failure!, /witness.example\/bad .* answered 503/);
  const places = await log.places();
  assert.match(places.find(({ place }) => place === bad.name)!.failure!, /no good cosignature/);
  assert.equal(places.find(({ place }) => place === bad.name)!.size, String(first));
  bad.mood = 'good';
  await log.grow();
  await publisher.round();
  const newest = (await log.recorded()).at(-1)!;
  assert.ok(bad.hasCosigned(newest.text, newest.signatures[2]!));
  assert.equal((await log.places()).find(({ place }) => place === bad.name)!.failure, null);
});

test('required witnesses hold a checkpoint back until all have cosigned that very one', async () => {
  const { log, witnesses, open } = await withWitnesses('witness.example/quick', 'witness.example/slow');
  const [quick, slow] = witnesses as [LittleWitness, LittleWitness];
  slow.mood = 'silent';
  const publisher = await open(true);
  const size = await log.grow();
  assert.equal(await publisher.round(), false);
  await log.grow();
  assert.equal(await publisher.round(), false);
  assert.deepEqual(await log.recorded(), []);
  assert.deepEqual(
    new Set((await log.kept()).map((one) => one.size)),
    new Set([size]),
    'no other is signed meanwhile',
  );
  slow.mood = 'good';
  assert.equal(await (await open(true)).round(), true, 'after a restart too');
  const [recorded] = await log.recorded();
  assert.equal(recorded!.size, size);
  assert.ok(quick.hasCosigned(recorded!.text, recorded!.signatures[1]!));
  assert.ok(slow.hasCosigned(recorded!.text, recorded!.signatures[2]!));
  assert.equal(quick.asked.length, 1, 'who has cosigned is not asked again');
});

test('a witness shows that the database was brought back, though the file is lost', async () => {
  const { log, open } = await withWitnesses('witness.example/w1');
  const early = await log.grow(2);
  await (await open(false)).round();
  await log.grow(2);
  await (await open(false)).round();
  await log.rollBack(early);
  await writeFile(log.file.path, '');
  await log.grow();
  const before = (await log.recorded()).length;
  const publisher = await open(false);
  assert.equal(await publisher.round(), false);
  assert.match(
    log.logged.find(({ level }) => level === 'error')!.err!.message,
    /has cosigned \d+ leaves of this log, and the newest checkpoint here counts \d+/,
  );
  await log.grow(9);
  await publisher.round();
  assert.equal((await log.recorded()).length, before, 'nothing that forks is recorded');
});

test('a file of witnesses is refused by the line that is wrong', async () => {
  const log = await LogStage.open();
  const { line, name } = await LittleWitness.start('witness.example/w1');
  const path = `${log.home}/wrong`;
  const [vkey, url] = line.split(' ') as [string, string];
  for (const [wrong, message] of [
    [vkey, /line 1 is not VKEY URL/],
    [`${line} more`, /line 1 is not VKEY URL/],
    [`${vkey} ftp://x`, /line 1 is not VKEY URL/],
    [`${vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')} ${url}`, /line 1: the id of the key is/],
    [`${name}+00000000+AAAA ${url}`, /line 1: a verifier key is/],
  ] as const) {
    await writeFile(path, wrong);
    await assert.rejects(readWitnesses(path), { code: 'CONFIG_WITNESSES', message });
  }
  await assert.rejects(readWitnesses(`${log.home}/none`), {
    code: 'CONFIG_WITNESSES',
    message: /cannot be read/,
  });
});
