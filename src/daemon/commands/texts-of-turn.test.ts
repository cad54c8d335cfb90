import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleSignal } from "../../memory/state/samples.fixture.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Turn } from "../../signal/turn.ts";
import { textsOfTurn } from "./texts-of-turn.ts";

test("the texts of a turn are what was said, written and read in it, and neither short words nor names of files", () => {
  const action = {
    target: "tool",
    payload: {
      tool: "write-file",
      args: { path: "/home/ada/garden/secret-plans.txt", content: "written: the safe says abracadabra\n" },
    },
    explanation: "to keep it",
  };
  const result = {
    id: "r",
    tool: "read-file",
    outcome: { status: "success", content: { content: "read: the safe says abracadabra" } },
    label: bottomLabel,
  } as const;
  const turn: Turn = {
    id: "t",
    session: "s",
    signal: sampleSignal({ text: "said: the safe says abracadabra" }),
    state: "answered",
    depth: 1,
    depthLimit: 8,
    rejections: 0,
    messages: [
      {
        role: "assistant",
        text: "Done.",
        calls: [{ id: "c", action }],
        native: true,
        provider: "p",
        raw: null,
        label: bottomLabel,
      },
      { role: "result", callId: "c", native: true, result },
    ],
    pending: [],
    running: null,
    approved: null,
    text: "answered: the safe says abracadabra",
    code: "answered",
    startedAt: 0,
    updatedAt: 0,
  };
  assert.deepEqual(
    textsOfTurn(turn).map((text) => text.split(":")[0]),
    ["said", "answered", "written", "read"],
  );
});
