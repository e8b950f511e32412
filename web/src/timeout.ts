/** What a promise gives, if it gives it in some milliseconds; else rejects. */
export function withTimeout<T>(promise: Promise<T>, time: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("too late")), Math.max(0, time));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
