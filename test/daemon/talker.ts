import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "../../src/text/json.ts";
import { openClient } from "../../src/wire/client/client.ts";
import { wireLimits } from "../../src/wire/codec/limits.ts";
import { readSecret } from "../../src/wire/codec/proof-secret.ts";
import { payloadOf, realWait } from "../../src/wire/server/wire.fixture.ts";

/** The end of a turn as a client was told it. */
export type Final = { readonly turn: string; readonly text: string };

/** A client that outlives daemons: it comes back by itself, repeats what was not acknowledged, and remembers what it saw. */
export type Talker = {
  /** Resolves when it is connected for the first time. */
  readonly ready: Promise<void>;
  readonly send: (session: string, text: string) => string;
  /** Says one thing after the other, each so many milliseconds after the last was answered, until it is frozen. */
  readonly chat: (session: string, text: string, rest?: number) => Promise<void>;
  /** Says something and gives the text of its answer. */
  readonly ask: (session: string, text: string) => Promise<string>;
  /** Opens a session, which shows what waited there. */
  readonly open: (session: string) => Promise<void>;
  /** Opens every session that it ever spoke in once more. */
  readonly returned: () => Promise<void>;
  /** The turn that a yes began again, or `refused`. */
  readonly approve: (token: string) => Promise<string>;
  readonly final: (turn: string) => Promise<void>;
  /** Ends what is going on, and marks what was acknowledged so far as acknowledged before the kill. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** The token of the newest question. */
  readonly token: () => string | null;
  readonly texts: () => readonly string[];
  /** The ids of all words, commands aside. */
  readonly said: () => readonly string[];
  /** Words that were acknowledged, with their turns. */
  readonly acknowledged: () => readonly { readonly id: string; readonly turn: string }[];
  readonly acknowledgedBefore: () => readonly { readonly id: string; readonly turn: string }[];
  readonly finals: () => readonly Final[];
  /** Adds what another client of the same owner was told. */
  readonly also: (finals: readonly Final[]) => void;
  readonly close: () => Promise<void>;
};

/** Milliseconds that an answer is waited for. */
const patience = 120_000;

/** Opens a client on the daemon that has, or will have, a state folder. */
export function openTalker(place: { readonly state: string; readonly workspace: string }): Talker {
  const client = openClient({
    socketPath: join(place.state, "run/passepartout.sock"),
    port: null,
    secret: async () => readSecret(place.state),
    source: "tui",
    capabilities: ["stream"],
    workspace: place.workspace,
    wait: realWait,
    newId: randomUUID,
    limits: wireLimits,
  });
  const connected = Promise.withResolvers<void>();
  const acknowledged = new Map<string, string>();
  const finals: Final[] = [];
  const words: string[] = [];
  const replies = new Map<string, JsonObject>();
  const sessions = new Set<string>();
  const now = { token: null as string | null, frozen: false, before: new Map<string, string>(), trouble: "" };
  client.on((event) => {
    if (event.kind === "ready") {
      connected.resolve();
      for (const session of sessions) client.sendBestEffort(opening(session, randomUUID()));
    }
    if (event.kind === "waiting" || event.kind === "refused") now.trouble = event.reason;
    if (event.kind !== "message" && event.kind !== "accepted") return;
    const { message } = event;
    const meta = isJsonObject(message["meta"]) ? message["meta"] : {};
    const turn = meta["turn-id"];
    const { token, text, id } = payloadOf(message);
    if (typeof token === "string") now.token = token;
    if (event.kind === "accepted" && typeof turn === "string") acknowledged.set(event.id, turn);
    if (message["type"] === "response" && typeof turn === "string") {
      finals.push({ turn, text: String(text ?? "") });
    }
    const answers = typeof message["id"] === "string" ? message["id"] : id;
    if (typeof answers === "string") replies.set(answers, message);
  });
  const until = async (what: string, condition: () => boolean): Promise<void> => {
    const end = performance.now() + patience;
    while (!condition()) {
      if (performance.now() > end)
        throw new Error(`${what} did not come (${client.state()}; last trouble: ${now.trouble})`);
      await pause(2);
    }
  };
  const send = (session: string, text: string): string => {
    const id = randomUUID();
    sessions.add(session);
    if (!text.startsWith("/")) words.push(id);
    client.send({
      type: "event",
      id,
      meta: { "session-id": session },
      payload: { sensor: "user-input", text },
    });
    return id;
  };
  const textOf = (id: string): string | undefined =>
    finals.find(({ turn }) => turn === acknowledged.get(id))?.text;
  const request = async (payload: JsonObject): Promise<JsonObject> => {
    const id = randomUUID();
    client.send({ type: "request", id, payload });
    await until(`the reply to ${String(payload["action"])}`, () => replies.has(id));
    return replies.get(id) ?? {};
  };
  const open = async (session: string): Promise<void> => {
    const id = randomUUID();
    const asked = { at: 0 };
    await until(`the session ${session}`, () => {
      const again = performance.now() - asked.at > 1000;
      if (again && client.sendBestEffort(opening(session, id))) asked.at = performance.now();
      return replies.has(id);
    });
  };
  return {
    ready: connected.promise,
    send,
    async chat(session, text, rest = 0) {
      for (let count = 0; !now.frozen; count += 1) {
        const id = send(session, `${text} ${count}`);
        while (!now.frozen && textOf(id) === undefined) await pause(2);
        if (rest > 0) await pause(rest);
      }
    },
    async ask(session, text) {
      const id = send(session, text);
      await until(`the answer to "${text}"`, () => textOf(id) !== undefined);
      return textOf(id) ?? "";
    },
    open,
    async returned() {
      for (const session of sessions) await open(session);
    },
    async approve(token) {
      const reply = await request({ action: "approve", token });
      if (payloadOf(reply)["outcome"] === "refused") return "refused";
      const meta = isJsonObject(reply["meta"]) ? reply["meta"] : {};
      return String(meta["turn-id"] ?? "");
    },
    final: (turn) => until(`the end of turn ${turn}`, () => finals.some((final) => final.turn === turn)),
    freeze() {
      now.frozen = true;
      now.before = new Map(acknowledged);
    },
    thaw() {
      now.frozen = false;
    },
    token: () => now.token,
    texts: () => finals.map(({ text }) => text),
    said: () => words,
    acknowledged: () =>
      [...acknowledged].filter(([id]) => words.includes(id)).map(([id, turn]) => ({ id, turn })),
    acknowledgedBefore: () =>
      [...now.before].filter(([id]) => words.includes(id)).map(([id, turn]) => ({ id, turn })),
    finals: () => finals,
    also: (more) => void finals.push(...more),
    async close() {
      await client.close();
    },
  };
}

/** Asks for a session, and for what waited there. */
function opening(name: string, id: string): JsonObject {
  return { type: "request", id, payload: { action: "session", name } };
}
