import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld } from "../agent-world.ts";
import { serveDaemon } from "./serve-daemon.ts";
import { provedPeer } from "./wire-client.ts";

const page = readFileSync(new URL("../../docs/wire.md", import.meta.url), "utf8");

/** The keys that a command needs, as the page says. */
const keys: Readonly<Record<string, JsonObject>> = {
  approve: { token: "none" },
  deny: { token: "none", reason: "no" },
  always: { token: "none" },
  "take-back": { turn: "none" },
  attach: { path: "nothing.txt" },
  titles: { query: "x" },
  "org-ast": { text: "* x" },
  notes: { view: "query", what: "x" },
  rewind: { turn: "none", preview: true },
  "rename-session": { name: "here" },
  "delete-session": { id: "none-such" },
  trust: { id: "none" },
  forget: { id: "none" },
  derived: { source: "none" },
  "forget-derived": { source: "none" },
  "inspect-skill": { verb: "show", name: "files" },
  "draft-skill": { name: "none-such", sentence: "says hello" },
  public: { what: "words that nobody wrote" },
  search: { query: "x" },
  nearest: { query: "x" },
  note: { text: "x" },
  model: { name: "default" },
  "terminal-size": { rows: 50, columns: 132 },
  "answer-hidden": { prompt: "none" },
  "answer-buffer": { request: "none", refused: "saved" },
  "vault-unlock": { passphrase: "none at all" },
  follow: { turn: "none" },
};

/** The commands of the page's table, as it names them. */
function documented(): readonly string[] {
  const begin = page.indexOf("| command | keys |");
  const table = page.slice(begin, page.indexOf("\n\n", begin));
  return table
    .split("\n")
    .slice(2)
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`:([A-Z-]+)`/g)])
    .map(([, name = ""]) => name.toLowerCase());
}

test("each command that the page of the wire names is taken, with and without the keys that may be left out, and answered", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const names = documented();
  assert.ok(names.length > 40 && names.includes("budget") && names.includes("model"), names.join());
  const peer = await provedPeer(t, world, daemon, { workspace: world.workspace });
  const forms = [...names.map((name) => [name, keys[name] ?? {}] as const), ["model", {}] as const];
  for (const [index, [action, more]] of forms.entries()) {
    const id = `request-${index}`;
    peer.send({ type: "request", id, meta: { "session-id": "s" }, payload: { action, ...more } });
    for (;;) {
      const message = await peer.next();
      const { id: about, action: said, text } = payloadOf(message);
      assert.notEqual(message["type"], "protocol-error", `${action}: ${String(text)}`);
      if (message["id"] === id || (about === id && (said === "session" || said === "accepted"))) break;
    }
  }
});
