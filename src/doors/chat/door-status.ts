import { isJsonObject, type Json } from "../../signal/json.ts";

/** How a door stands, as it is kept. */
export type DoorStatus = {
  /** Unix milliseconds of the last request that was answered as it should be; null where none was. */
  readonly receivedAt: number | null;
  readonly problem: string | null;
};

/** The name under which the status is kept. */
export const statusMark = "status";

/** Reads a kept status. */
export function doorStatusOf(kept: Json): DoorStatus {
  if (!isJsonObject(kept)) return { receivedAt: null, problem: null };
  const { receivedAt, problem } = kept;
  return {
    receivedAt: typeof receivedAt === "number" ? receivedAt : null,
    problem: typeof problem === "string" ? problem : null,
  };
}

/** Milliseconds after which a door that received nothing counts as stopped: several long polls. */
const silence = 300_000;

/** How a door stands, in words; `isWell` is false where the owner has to do something. */
export function describeDoor(
  { receivedAt, problem }: DoorStatus,
  now: number,
): { readonly isWell: boolean; readonly text: string } {
  if (problem !== null) return { isWell: false, text: problem };
  if (receivedAt === null)
    return { isWell: false, text: "nothing was received yet: start the daemon (passepartout daemon)" };
  const minutes = Math.max(0, Math.round((now - receivedAt) / 60_000));
  const when = minutes === 0 ? "within the last minute" : `${minutes} min ago`;
  const isWell = Math.abs(now - receivedAt) < silence;
  const text = `last asked ${when}`;
  return { isWell, text: isWell ? text : `${text}: start the daemon (passepartout daemon)` };
}
