/**
 * A job that is done soon after it is asked for, and once for any number of requests. A job that takes long leaves as
 * much time for everything else, so that requests which come faster than it runs never pile up.
 */
export class Coalesced {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private notBefore = 0;

  constructor(private readonly job: () => void) {}

  request(): void {
    this.timer ??= setTimeout(() => this.run(), Math.max(0, this.notBefore - performance.now()));
  }

  /** Do it now. */
  run(): void {
    this.cancel();
    const began = performance.now();
    try {
      this.job();
    } finally {
      const ended = performance.now();
      this.notBefore = ended + (ended - began);
    }
  }

  cancel(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
