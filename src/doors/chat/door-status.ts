import { isJsonObject, type Json } from "../../text/json.ts";

/** How a door stands, as it is kept. */
export type DoorStatus = {
  /** Unix milliseconds of the last request that was answered as it should be; null where none was. */
  readonly receivedAt: number | null;
  readonly problem: string | null;
  /** The program that stands between, in words; null where there is none. */
  readonly program: string | null;
};

/** The name under which the status is kept. */
export const statusMark = "status";

/** Reads a kept status. */
export function doorStatusOf(kept: Json): DoorStatus {
  if (!isJsonObject(kept)) return { receivedAt: null, problem: null, program: null };
  const { receivedAt, problem, program } = kept;
  return {
    receivedAt: typeof receivedAt === "number" ? receivedAt : null,
    problem: typeof problem === "string" ? problem : null,
    program: typeof program === "string" ? program : null,
  };
}

/** Milliseconds after which a door that received nothing counts as stopped: several long polls. */
const silence = 300_000;

/** Milliseconds after which a service that forgets devices is spoken of, and what it does to them. */
const day = 86_400_000;
const forgets: ReadonlyMap<string, { readonly after: number; readonly words: string }> = new Map([
  [
    "signal",
    {
      after: 20 * day,
      words: "Signal drops a device that receives nothing for a month, with the messages that wait for it",
    },
  ],
]);

/** The warning that a service is about to drop this device; null where it is not. */
export function describeForgetting(
  service: string,
  { receivedAt }: Pick<DoorStatus, "receivedAt">,
  now: number,
): string | null {
  const rule = forgets.get(service);
  if (rule === undefined || receivedAt === null || now - receivedAt < rule.after) return null;
  return `nothing was received for ${Math.floor((now - receivedAt) / day)} days: ${rule.words}`;
}

/** How a door stands, in words; `isWell` is false where the owner has to do something. */
export function describeDoor(
  service: string,
  { receivedAt, problem, program }: DoorStatus,
  now: number,
): { readonly isWell: boolean; readonly text: string } {
  const forgetting = describeForgetting(service, { receivedAt }, now);
  const warning = forgetting === null ? "" : `; ${forgetting}`;
  if (problem !== null) return { isWell: false, text: `${problem}${warning}` };
  if (receivedAt === null)
    return { isWell: false, text: "nothing was received yet: start the daemon (passepartout daemon)" };
  const minutes = Math.max(0, Math.round((now - receivedAt) / 60_000));
  const when = minutes === 0 ? "within the last minute" : `${minutes} min ago`;
  const isWell = Math.abs(now - receivedAt) < silence;
  const text = `last asked ${when}`;
  return {
    isWell,
    text: isWell
      ? `${text}${program === null ? "" : ` by ${program}`}`
      : `${text}: start the daemon (passepartout daemon)${warning}`,
  };
}
