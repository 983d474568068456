import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { forkWorker, type WorkerProcess } from './fork-worker.ts';
import type { OwnServer } from './own-server.ts';

/** Longer than a lease lasts, so that others take over what it had. */
const FROZEN_MS = 12_000;

/** A moment at which a process died or stood still, with the leases that it held. */
export interface Blow {
  readonly at: number;
  readonly leases: readonly string[];
}

interface Member {
  worker: WorkerProcess;
  isAtWork: boolean;
  isFrozen: boolean;
}

/** Three worker processes; one that is killed is replaced at once. */
export class RecoveryFleet {
  readonly kills: Blow[] = [];
  readonly stops: Blow[] = [];
  readonly #server: OwnServer;
  readonly #random: () => number;
  readonly #members: Member[];
  #isOver = false;
  /** Ends of processes that nobody of us brought about. */
  readonly #unforeseen: string[] = [];

  constructor(server: OwnServer, random: () => number) {
    this.#server = server;
    this.#random = random;
    this.#members = [0, 1, 2].map(() => {
      const member = { worker: this.#start(), isAtWork: false, isFrozen: false };
      noteWork(member);
      return member;
    });
  }

  /** Kills one that is at work, as soon as another one is too, and starts a new one in its place. */
  async kill(): Promise<void> {
    const member = await this.#pick();
    const leases = await this.#leasesOf(member.worker);
    const { worker } = member;
    worker.process.kill('SIGKILL');
    this.kills.push({ at: Date.now(), leases });
    member.worker = this.#start();
    member.isAtWork = false;
    noteWork(member);
    await worker.exited;
  }

  /** Has one stand still until its work was taken from it, then lets it go on, and waits until it works again. */
  async freeze(): Promise<void> {
    const member = await this.#pick();
    member.isFrozen = true;
    const leases = await this.#leasesOf(member.worker);
    member.worker.process.kill('SIGSTOP');
    this.stops.push({ at: Date.now(), leases });
    await delay(FROZEN_MS);
    member.worker.process.kill('SIGCONT');
    await eventually(
      'it works under a new lease',
      async () => {
        const now = await this.#leasesOf(member.worker);
        return now.length > 0 && now.every((lease) => !leases.includes(lease));
      },
      { withinMs: 60_000, everyMs: 100 },
    );
    member.isFrozen = false;
  }

  /** Asks all to stop, as an operator does; fails if one did not go in order, or had ended before. */
  async end(): Promise<void> {
    this.#isOver = true;
    const exits = this.#members.map(async ({ worker }) => {
      worker.process.kill('SIGTERM');
      return worker.exited;
    });
    assert.deepEqual(
      await Promise.all(exits),
      this.#members.map(() => ({ code: 0, signal: null })),
    );
    assert.deepEqual(this.#unforeseen, []);
  }

  /** Whatever happened, nothing of it goes on. */
  async destroy(): Promise<void> {
    this.#isOver = true;
    for (const { worker } of this.#members) worker.process.kill('SIGKILL');
    await Promise.all(this.#members.map(({ worker }) => worker.exited));
  }

  #start(): WorkerProcess {
    const config = { ...this.#server.config, ocrSlots: 2, ioSlots: 4, stopGraceMs: 5_000 };
    const worker = forkWorker({ config, recogniseMs: 150, readsPdf: true });
    void worker.exited.then(({ code, signal }) => {
      if (signal !== 'SIGKILL' && !this.#isOver)
        this.#unforeseen.push(`exit ${String(code)} ${String(signal)}`);
    });
    return worker;
  }

  async #pick(): Promise<Member> {
    const able = await eventually(
      'two are at work',
      () => {
        const found = this.#members.filter((member) => member.isAtWork && !member.isFrozen);
        return found.length >= 2 && found;
      },
      { withinMs: 120_000 },
    );
    return able[Math.floor(this.#random() * able.length)]!;
  }

  async #leasesOf({ process }: WorkerProcess): Promise<string[]> {
    const rows = await this.#server
      .ask<{ lease_id: string }>('select lease_id from docket.leases where pid = $1 and closed_at is null', [
        process.pid,
      ])
      .catch(() => []);
    return rows.map((row) => row.lease_id);
  }
}

function noteWork(member: Member): void {
  const { worker } = member;
  void worker.lease.then(() => (member.isAtWork = member.worker === worker));
}
