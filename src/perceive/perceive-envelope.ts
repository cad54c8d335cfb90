import { z } from "zod";
import type { Person, Source } from "../signal/signal.ts";
import { isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import { describeZodError } from "./describe-zod-error.ts";
import { type ClientSensor, type PerceiveResult, perceiveInput } from "./perceive-input.ts";

/** What the daemon knows about the sender of a message. Nothing in the message changes it. */
export type Sender = {
  readonly session: string;
  readonly source: Source;
  readonly person: Person;
};

/** What a client's message means. `recorded`: kept and never dispatched; `request`: a request of the owner, not recognised or judged yet. */
export type EnvelopeResult =
  | PerceiveResult
  | { readonly ok: true; readonly kind: "recorded"; readonly type: "log" | "response" | "status" }
  | { readonly ok: true; readonly kind: "request"; readonly action: string; readonly payload: JsonObject };

/** Any object: the payload's own schema depends on its sensor. */
const object = z.custom<JsonObject>((value) => isJsonObject(value as Json), "is not an object");
/** Depth, reply stream and source are accepted and dropped. */
const stripped = { depth: z.unknown().optional(), "reply-stream": z.unknown().optional() };
const envelope = z.strictObject({
  ...stripped,
  type: z.enum(["event", "request", "log", "response", "status"]),
  id: z.string().optional(),
  meta: z
    .strictObject({
      ...stripped,
      source: z.unknown().optional(),
      "session-id": z.string().optional(),
      session: z.string().optional(),
      capabilities: z.array(z.string()).optional(),
      protocol: z.unknown().optional(),
    })
    .optional(),
  payload: object.optional(),
});
const clientSensors: ReadonlyMap<string, ClientSensor> = new Map(
  (["user-input", "buffer-update", "chat-message"] as const).map((sensor) => [sensor, sensor]),
);

/** Reads a client's message (`WIRE.md`, "What a client may set"; keys in lower case). A message with a reserved or unknown key is refused, and the key is named. */
export function perceiveEnvelope(
  message: JsonObject,
  connection: Sender,
  stamp: { readonly id: string; readonly at: number },
): EnvelopeResult {
  const reading = envelope.safeParse(message);
  if (!reading.success) return refusal("envelope", `The ${describeZodError(reading.error, "message")}.`);
  const { type, id, meta, payload = {} } = reading.data;
  if (type !== "event" && type !== "request") return { ok: true, kind: "recorded", type };
  if (type === "request") {
    const { action, ...rest } = payload;
    if (typeof action !== "string") return refusal("payload", "The request names no action.");
    if (connection.person !== "owner")
      return refusal("unproved", `The request ${action} needs a connection that proved itself.`);
    return { ok: true, kind: "request", action, payload: rest };
  }
  const { sensor: named, ...rest } = payload;
  const sensor = clientSensors.get(typeof named === "string" ? named : "");
  if (sensor === undefined) {
    return refusal(
      "sensor",
      `A client cannot send the sensor ${JSON.stringify(named ?? null)}; it may send: ${[...clientSensors.keys()].join(", ")}.`,
    );
  }
  const session = meta?.["session-id"] ?? meta?.session ?? connection.session;
  if (session !== connection.session && connection.person !== "owner") {
    return refusal("unproved", "Only a connection that proved itself can name a session other than its own.");
  }
  return perceiveInput({
    ...connection,
    ...stamp,
    session,
    clientId: id ?? null,
    sensor,
    payload: rest,
  });
}

function refusal(code: string, message: string): EnvelopeResult {
  return { ok: false, code, message };
}
