import { existsSync, readFileSync } from "node:fs";

/**
 * What a process did: its state as `ps` shows it, and the processor time that it used, in ticks of the
 * kernel.
 */
type ProcessWork = { readonly state: string; readonly ticks: number };

/** What a process did so far, as Linux tells it; null where there is none, and on other systems. */
export function workOf(process: number | null): ProcessWork | null {
  const path = `/proc/${process}/stat`;
  if (process === null || !existsSync(path)) return null;
  const text = readFileSync(path, "latin1");
  const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state, ticks: Number(fields[10]) + Number(fields[11]) };
}

/**
 * What takes connections and does not answer in time: who holds the state, and what it did before and at the
 * end of that time.
 */
type Hung = {
  readonly socketPath: string;
  /** Milliseconds. */
  readonly patience: number;
  readonly holder: number | null;
  readonly before: ProcessWork | null;
  readonly now: ProcessWork | null;
};

/**
 * Why nothing answers, and what to do: a process that works, or waits for a processor or a disk, is left
 * alone.
 */
export function describeHung({ socketPath, patience, holder, before, now }: Hung): string {
  const found = `what listens at ${socketPath} takes connections and does not answer within ${patience / 1000} s`;
  const after = "Then start the daemon again; what it accepted goes on.";
  if (holder === null || now === null)
    return `${found}. Look again in a minute. If it does not answer then, end it. ${after}`;
  const end = `end it with: kill ${holder}. Only if it is still there a minute later: kill -9 ${holder}. ${after}`;
  if (/[Tt]/.test(now.state))
    return `${found}: process ${holder} is stopped. Let it go on with: kill -CONT ${holder}. If it does not answer then, ${end}`;
  const isAtWork = /[RD]/.test(now.state) || now.ticks > (before?.ticks ?? 0);
  if (isAtWork)
    return `${found}: process ${holder} lives and is busy, or the machine is. Wait, and look again in a minute. If it does not answer for many minutes, ${end}`;
  return `${found}: process ${holder} lives and does nothing. Look again in a minute. If it does not answer then, ${end}`;
}
