import { hostname } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { type Peer, payloadOf } from "../../src/wire/server/wire.fixture.ts";
import type { AgentWorld } from "../agent-world.ts";
import { provedPeer } from "../daemon/wire-client.ts";

/** A proved client that says that it is an editor, with what it was asked so far. */
export type FakeEditor = { readonly peer: Peer; readonly asked: readonly JsonObject[] };

/** Where the agent of a world listens. */
export const socketOf = (world: AgentWorld): string => join(world.state, "run/passepartout.sock");

/** What an editor answers to a question; null for nothing. */
export type EditorAnswer = (asked: JsonObject, peer: Peer) => JsonObject | null;

/** Connects an editor that answers by a function. */
export async function connectEditor(
  t: TestContext,
  world: AgentWorld,
  answer: EditorAnswer,
  named: JsonObject = {},
): Promise<FakeEditor> {
  const is = { capabilities: ["buffers"], process: process.pid, host: hostname(), ...named };
  const peer = await provedPeer(t, world, { socketPath: socketOf(world) }, is);
  const asked: JsonObject[] = [];
  void listen(peer, (question) => {
    asked.push(question);
    const more = answer(question, peer);
    if (more === null) return;
    const payload = { action: "answer-buffer", request: question["id"] ?? "", ...more };
    peer.send({ type: "request", payload });
  });
  return { peer, asked };
}

/** Hears what an editor is asked until its connection ends. */
async function listen(peer: Peer, ask: (question: JsonObject) => void): Promise<void> {
  while (!peer.socket.destroyed) {
    const message = await peer.next().catch(() => null);
    if (message === null) return;
    const payload = payloadOf(message);
    if (String(payload["action"]).startsWith("buffer-")) ask(payload);
  }
}

/** An editor with one buffer, which makes what it is asked to. */
export function bufferOf(text: string): {
  readonly text: () => string;
  readonly answer: (asked: JsonObject) => JsonObject;
} {
  const now = { text };
  return {
    text: () => now.text,
    answer({ action, replacements }) {
      if (action === "buffer-text") return { text: now.text, eol: "lf" };
      const characters = [...now.text];
      const made = Array.isArray(replacements) ? replacements.toReversed() : [];
      for (const one of made)
        if (Array.isArray(one))
          characters.splice(Number(one[0]), Number(one[1]) - Number(one[0]), ...String(one[2]));
      now.text = characters.join("");
      return { done: true };
    },
  };
}
