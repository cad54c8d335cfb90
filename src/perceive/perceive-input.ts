import { z } from "zod";
import type { Label } from "../signal/label.ts";
import type { Person, Sensor, Signal, Source } from "../signal/signal.ts";
import type { JsonObject } from "../text/json.ts";
import { describeZodError } from "./describe-zod-error.ts";

/** The sensors that a client may send. All others are the daemon's. */
export type ClientSensor = Extract<Sensor, "user-input" | "buffer-update" | "chat-message">;

/** A client's message, with what the daemon knows about it. */
export type ClientInput = {
  readonly id: string;
  /** The client's own id; the same id twice in a session is one signal. */
  readonly clientId: string | null;
  readonly session: string;
  readonly source: Source;
  readonly person: Person;
  /** Unix milliseconds. */
  readonly at: number;
  readonly sensor: ClientSensor;
  readonly payload: JsonObject;
};

export type PerceiveResult =
  | { readonly ok: true; readonly kind: "signal"; readonly signal: Signal }
  | { readonly ok: false; readonly code: string; readonly message: string };

const longest = 1_000_000;
/** Characters that may come by a pipe with a message. */
const longestPiped = 100_000;
/** Parts of a message that may be pasted, one by one. */
const mostPastes = 10_000;
/** Files that a message may have. */
const mostAttachments = 20;
const text = z
  .string()
  .max(longest, `is longer than ${longest} characters: put it into a file and name the file`)
  .refine((words) => words.trim() !== "", "is empty");
const name = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, "is not a name of 1 to 200 printable characters");

/** The digest under which a file is kept. */
const attachment = z.string().regex(/^[0-9a-f]{64}$/, "is not the id of an attached file");

const payloads: Readonly<Record<ClientSensor, z.ZodType<{ readonly text: string }>>> = {
  /**
   * `pasted`: something of the text was pasted, so it is never a command. `pastes`: what of it was, where the
   * client knows: it licenses nothing. `steer`: it is for the turn that runs, if one
   * runs. `attachments`: files that were attached for it. `piped`: what came by a pipe with it, words of
   * others.
   */
  "user-input": z.strictObject({
    text,
    pasted: z.boolean().optional(),
    pastes: z.array(z.string().max(longest)).min(1).max(mostPastes).optional(),
    steer: z.boolean().optional(),
    attachments: z.array(attachment).min(1).max(mostAttachments).optional(),
    piped: z.string().min(1).max(longestPiped).optional(),
  }),
  "buffer-update": z.strictObject({
    text: z.string().max(longest),
    path: name.optional(),
    line: z.int().min(1).optional(),
  }),
  /**
   * `piped`: words of others that the sender sends on. `pastes`: what of the text is quoted: it licenses
   * nothing.
   */
  "chat-message": z.strictObject({
    text,
    pastes: z.array(z.string().max(longest)).min(1).max(mostPastes).optional(),
    chat: name.optional(),
    sender: name.optional(),
    piped: z.string().min(1).max(longestPiped).optional(),
    attachments: z.array(attachment).min(1).max(mostAttachments).optional(),
  }),
};
const sensorsOf: Readonly<Record<Source, readonly ClientSensor[]>> = {
  cli: ["user-input", "buffer-update"],
  tui: ["user-input", "buffer-update"],
  emacs: ["user-input", "buffer-update"],
  telegram: ["chat-message"],
  signal: ["chat-message"],
  system: [],
};

/** Makes a signal from a client's message: by a closed schema, at depth 0, with the label of the sender. An invalid message is refused with a reason; nothing is repaired. */
export function perceiveInput(input: ClientInput): PerceiveResult {
  const { sensor, source, person, session, id, clientId, at } = input;
  if (!sensorsOf[source].includes(sensor)) {
    return refusal(
      "sensor",
      `A ${source} client cannot send ${sensor}; it may send: ${sensorsOf[source].join(", ") || "nothing"}.`,
    );
  }
  for (const [what, value] of [
    ["session", session],
    ["id", clientId ?? id],
  ] as const) {
    const reading = name.safeParse(value);
    if (!reading.success) return refusal("envelope", `The ${describeZodError(reading.error, what)}.`);
  }
  const reading = payloads[sensor].safeParse(input.payload);
  if (!reading.success)
    return refusal(
      "payload",
      `The message was not accepted: its ${describeZodError(reading.error, "payload")}.`,
    );
  const signal: Signal = {
    id,
    clientId,
    sensor,
    session,
    source,
    person,
    text: reading.data.text,
    payload: input.payload,
    depth: 0,
    label: labelOf(person, id),
    at,
  };
  return { ok: true, kind: "signal", signal };
}

function refusal(code: string, message: string): PerceiveResult {
  return { ok: false, code, message };
}

/** The owner's words are instructions; those of anybody else are content. All are public at entry. */
function labelOf(person: Person, id: string): Label {
  return {
    integrity: person === "owner" ? "user" : "untrusted",
    secrecy: "public",
    sources: [{ id, path: "/text" }],
  };
}
