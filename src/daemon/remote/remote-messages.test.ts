import assert from "node:assert/strict";
import { test } from "node:test";
import { perceiveEnvelope } from "../../perceive/perceive-envelope.ts";
import { clientCodec, daemonCodec } from "../../wire/codec/codec.ts";
import type { OwnerWords } from "../agent/resources/agent.ts";
import { wordsEvent } from "./remote-messages.ts";

test("whatever goes with the owner's words comes over the wire, and is taken", () => {
  const words: Required<OwnerWords> = {
    session: "s1",
    source: "cli",
    text: "look at this",
    pasted: true,
    pastes: ["this", "two\nlines", ":at"],
    attachments: ["a".repeat(64)],
    piped: "from a pipe",
  };
  const decoded = daemonCodec.decode(clientCodec.encode(wordsEvent(words)));
  assert.ok(decoded.ok);
  const received = perceiveEnvelope(
    decoded.message,
    { session: "s1", source: "cli", person: "owner" },
    { id: "one", at: 0 },
  );
  assert.ok(received.ok && received.kind === "signal");
  const { session: _session, source: _source, ...payload } = words;
  assert.deepEqual(received.signal.payload, payload);
});
