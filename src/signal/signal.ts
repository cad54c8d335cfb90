import { isJsonArray, isJsonObject, type JsonObject } from "../text/json.ts";
import type { Label } from "./label.ts";

/** The kinds of perception. A client may send the first three; only the daemon makes the others. */
export const sensors = [
  "user-input",
  "buffer-update",
  "chat-message",
  "tool-output",
  "tool-error",
  "loop-error",
  "syntax-error",
  "approval-required",
  "heartbeat",
  "file-changed",
  "cron",
  "sub-task",
] as const;

export type Sensor = (typeof sensors)[number];

/** The kind of client that a signal came from; also the name of the actuator that answers it. */
export type Source = "cli" | "tui" | "emacs" | "telegram" | "signal" | "system";

/** Who spoke: the owner on a proved connection, a client that did not prove itself, another person, or nobody (cron, heartbeat, files). */
export type Person = "owner" | "unproved" | "other" | "nobody";

/** Whether a signal is the work of a job that the owner approved. Only the daemon makes one. */
export function isJobSignal({ sensor, person }: Pick<Signal, "sensor" | "person">): boolean {
  return sensor === "cron" && person === "nobody";
}

/** Whether nothing but the passing of time began a signal: a beat itself, or a run of a job that only heartbeats began. Only the daemon makes one. */
export function isHeartbeat(signal: Pick<Signal, "sensor" | "person" | "payload">): boolean {
  if (signal.person !== "nobody") return false;
  if (signal.sensor === "heartbeat") return true;
  const { events = null } = signal.payload;
  if (!isJobSignal(signal) || !isJsonObject(events)) return false;
  const all = ["listed", "private"].flatMap((key) => events[key] ?? []);
  return all.length > 0 && all.every((event) => event === "heartbeat");
}

/** Whether a signal is work of the program itself that asks a model for a text: its turn gets no tool, no notes and nothing of skills. Only the daemon makes one. */
export function isTextRequest(signal: Pick<Signal, "sensor" | "person" | "payload">): boolean {
  return isJobSignal(signal) && signal.payload["textOnly"] === true;
}

/** Whether a signal begins a sub-task of a turn. Only the daemon makes one. */
export function isSubTaskSignal({ sensor, person }: Pick<Signal, "sensor" | "person">): boolean {
  return sensor === "sub-task" && person === "nobody";
}

/** The parts of a message that were pasted or came by a pipe: all of it where nobody says which. */
export function pastesOf({ text, payload }: Pick<Signal, "text" | "payload">): readonly string[] {
  const { pasted, pastes } = payload;
  if (isJsonArray(pastes)) return pastes.flatMap((paste) => (typeof paste === "string" ? [paste] : []));
  return pasted === true ? [text] : [];
}

/** What enters the loop. Never itself an action. */
export type Signal = {
  readonly id: string;
  /** The client's own id. The same id twice is one signal. */
  readonly clientId: string | null;
  readonly sensor: Sensor;
  readonly session: string;
  readonly source: Source;
  readonly person: Person;
  readonly text: string;
  /** True where the owner said to send the words as they are, also what stands in a private text. */
  readonly sendAsIs?: true;
  /** The provider that was named when the owner said so; missing where an older version asked. */
  readonly asIsFor?: string;
  readonly payload: JsonObject;
  /** 0 if a person or the clock started the chain; a signal that follows from another is one deeper. */
  readonly depth: number;
  readonly label: Label;
  /** Unix milliseconds. */
  readonly at: number;
};
