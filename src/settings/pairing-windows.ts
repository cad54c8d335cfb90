import { readFileSync } from "node:fs";
import { z } from "zod";
import { parseJson } from "../text/parse-json.ts";
import { replaceFile } from "./replace-file.ts";

/** The time in which a service gives codes to unknown senders. Unix milliseconds. */
export type PairingWindow = {
  readonly opened: number;
  readonly until: number;
  /** Codes that were given before count no longer. */
  readonly since: number;
};

/** When codes are given, by service: in a file of the configuration folder that no action may write. */
export type PairingWindows = {
  /** Closed since ever where nobody opened it, or where the file cannot be read. */
  readonly of: (service: string) => PairingWindow;
  /** Opens it from now on for some minutes. `isAnew`: the codes that were given before count no longer. */
  readonly open: (service: string, at: { readonly now: number; readonly isAnew: boolean }) => void;
  /** No further codes are given. `dropsCodes`: those that were given count no longer. */
  readonly close: (service: string, at: { readonly now: number; readonly dropsCodes: boolean }) => void;
};

/** Minutes in which codes are given, once they are asked for. */
export const windowMinutes = 15;

const closed: PairingWindow = { opened: 0, until: 0, since: 0 };
const time = z.number();
const fileSchema = z.looseObject({
  windows: z.record(z.string(), z.looseObject({ opened: time, until: time, since: time })),
});

/** The windows of a file, which need not exist. */
export function openPairingWindows(path: string): PairingWindows {
  const read = (): ReadonlyMap<string, PairingWindow> => {
    const parsed = fileSchema.safeParse(parseJson(textOf(path)));
    return new Map(parsed.success ? Object.entries(parsed.data.windows) : []);
  };
  const change = (service: string, window: PairingWindow): void => {
    const windows = Object.fromEntries([...read(), [service, window]]);
    replaceFile(path, `${JSON.stringify({ version: 1, windows }, null, 1)}\n`);
  };
  const of = (service: string): PairingWindow => read().get(service) ?? closed;
  return {
    of,
    open(service, { now, isAnew }) {
      const since = isAnew ? now : of(service).since;
      change(service, { opened: now, until: now + windowMinutes * 60_000, since });
    },
    close(service, { now, dropsCodes }) {
      const before = of(service);
      change(service, { ...before, until: 0, since: dropsCodes ? now : before.since });
    },
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // What cannot be read opens nothing, and opening it writes it anew.
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}
