/** A zone. A local time is what its clocks show, in Unix milliseconds as if they showed UTC. */
export type Zone = {
  readonly localAt: (instant: number) => number;
  /** The first instant at which the clocks show a local time. One that they leave out is the instant at which they go on; null where they leave out a day. */
  readonly instantOf: (local: number) => number | null;
};

const minute = 60_000;
const day = 86_400_000;

/** Opens a zone, such as `Europe/Berlin`. Throws where there is none of this name. */
export function openZone(zone: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const offsetAt = (instant: number): number => {
    const seconds = Math.floor(instant / 1000) * 1000;
    const [month = 0, date, year = 0, ...time] = (format.format(seconds).match(/\d+/g) ?? []).map(Number);
    return Date.UTC(year, month - 1, date, ...time) - seconds;
  };
  return {
    localAt: (instant) => instant + offsetAt(instant),
    instantOf(local) {
      const [before, after] = [offsetAt(local - day), offsetAt(local + day)];
      // Where clocks go back, a local time comes twice; the greater offset is that of the first one.
      for (const offset of before > after ? [before, after] : [after, before])
        if (offsetAt(local - offset) === offset) return local - offset;
      if (after - before >= day) return null;
      let [last, first] = [local - after, local - before];
      while (first - last > minute) {
        const middle = last + Math.ceil((first - last) / 2 / minute) * minute;
        if (offsetAt(middle) === before) last = middle;
        else first = middle;
      }
      return first;
    },
  };
}
