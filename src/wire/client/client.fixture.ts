import type { TestContext } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import { wireLimits } from "../codec/limits.ts";
import { payloadOf, realWait } from "../server/wire.fixture.ts";
import { type Client, type ClientEvent, type ClientParts, openClient } from "./client.ts";

/** A client with a record of its events. */
export type WatchedClient = {
  readonly client: Client;
  readonly events: readonly ClientEvent[];
  readonly of: <Kind extends ClientEvent["kind"]>(
    kind: Kind,
  ) => readonly Extract<ClientEvent, { kind: Kind }>[];
};

/** Opens a client and closes it after the test. */
export function openWatchedClient(
  t: TestContext,
  given: Partial<ClientParts> & { readonly socketPath: string },
): WatchedClient {
  const events: ClientEvent[] = [];
  const ids = { last: 0 };
  const client = openClient({
    port: null,
    secret: async () => new Uint8Array(32),
    source: "tui",
    capabilities: ["stream"],
    workspace: null,
    wait: realWait,
    newId: () => {
      ids.last += 1;
      return `id${ids.last}`;
    },
    limits: { ...wireLimits, lingerMilliseconds: 200 },
    ...given,
  });
  client.on((event) => events.push(event));
  t.after(() => client.close());
  const isOf =
    <Kind extends ClientEvent["kind"]>(kind: Kind) =>
    (event: ClientEvent): event is Extract<ClientEvent, { kind: Kind }> =>
      event.kind === kind;
  return { client, events, of: (kind) => events.filter(isOf(kind)) };
}

/** A function that reads this secret. */
export const secretOf = (secret: Uint8Array) => async (): Promise<Uint8Array> => secret;
/** A text without an id. */
export const userInputWithoutId = (text: string): JsonObject => ({
  type: "event",
  payload: { sensor: "user-input", text },
});
/** The texts that a server received. */
export const textsOf = (received: readonly JsonObject[]): readonly unknown[] =>
  received.map((message) => payloadOf(message)["text"]);
