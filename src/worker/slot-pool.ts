/** Slots for one sort of work, whose number changes while work goes on. */
export interface SlotPool {
  /** As docket.pool_limits names it. */
  readonly name: string;
  /** Slots that are at work, or may begin some. */
  open(): number;
  /**
   * Has so many slots from now on. Those beyond them are closed at once, or, if they are at work, when that is done: nothing
   * is interrupted. Resolves when there are no more than that beside those still at work; rejects if more could not be opened.
   */
  resize(slots: number): Promise<void>;
}
