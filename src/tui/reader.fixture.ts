import type { JsonObject } from "../text/json.ts";
import { Reader } from "./reader/reader.ts";
import { openSession, ScriptedClient, scriptTurn } from "./screen.fixture.ts";
import { WireSession } from "./session/wire-session.ts";

export const path = "/home/ada/garden/plan.txt";
export const edit = {
  target: "tool",
  payload: { tool: "edit-file", args: { path: "plan.txt", old: "Friday", new: "Saturday" } },
  explanation: "to move it",
};
export const write = { kind: "write-path", change: "replace", target: path, reversal: "undoable" };

/** A conversation for a screen reader with a session that is open, and every line that it said. */
export function openReader(described: JsonObject = {}) {
  const client = new ScriptedClient();
  const time = { now: 1_000 };
  const lines: string[] = [];
  const ids = { last: 0 };
  const newId = (): string => {
    ids.last += 1;
    return `id${ids.last}`;
  };
  const reader = new Reader({
    out: (line) => void lines.push(line),
    home: "/home/ada",
    version: "0.1.0",
    clock: () => time.now,
    readHidden: async () => null,
    openSession: (listener) =>
      new WireSession({ client, wanted: { name: null, latest: false }, newId, listener }),
  });
  openSession(client, described);
  return { reader, client, time, lines, turn: (name: string) => scriptTurn(client, name) };
}
