import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { ParsedAnswer } from "../reason/parse/parse-answer.ts";
import type { ThinkResult } from "../reason/think.ts";
import { LlmError } from "../signal/failure.ts";
import { bottomLabel, type Label } from "../signal/label.ts";
import { loopWith } from "./loop-with.fixture.ts";
import type { RecoveryChoice } from "./recovery-handlers.ts";
import type { LoopParts } from "./turn-loop.ts";

const noAnswer = new LlmError("nobody there", { provider: "one", cascade: ["one"], attempts: 1 });

const failing = (recovery: RecoveryChoice | null) => ({
  think: async (): Promise<ThinkResult> => ({ kind: "failure", code: "exhausted", error: noAnswer }),
  recover: async () => recovery,
});

test("while turns are paused what runs ends, and what a person says is accepted and waits, also beyond the end of the loop", async (t) => {
  const thinking = Promise.withResolvers<ThinkResult>();
  let begun = 0;
  const world = await loopWith(t, {
    ...failing({ choice: "use-fallback", text: "Later." }),
    think: () => {
      begun += 1;
      return begun === 1 ? thinking.promise : failing(null).think();
    },
  });
  const { loop, say, state } = world;
  const other = await state.sessions.open({ name: null, workspace: null, source: "cli" });
  const first = say();
  while (begun === 0) await new Promise(setImmediate);
  const paused = loop.pauseTurns();
  const waiting = [say({ session: other.id }), say({ session: other.id, text: "and this" })];
  while ((await state.turns.unfinished()).length < 3) await new Promise(setImmediate);
  thinking.resolve(failing(null).think());
  await Promise.all([first, paused.quiet]);
  assert.equal(begun, 1);
  paused.resume();
  await waiting[0];
  assert.ok(begun >= 2);
  await Promise.all(waiting);
  loop.pauseTurns();
  const last = say({ session: other.id });
  while ((await state.turns.unfinished()).length === 0) await new Promise(setImmediate);
  await loop.drain(1000);
  await last;
  assert.deepEqual(
    (await state.turns.unfinished()).map(({ state: at }) => at),
    ["queued"],
  );
});

test("a recovery handler can drop the signal, and the person is told", async (t) => {
  const { say } = await loopWith(t, failing({ choice: "skip-signal" }));
  const last = await say();
  assert.deepEqual([last?.type, last?.type === "stopped" && last.code], ["stopped", "skipped"]);
});

test("a recovery handler can end the turn cleanly, with the reason", async (t) => {
  const { say } = await loopWith(t, failing({ choice: "abort-pipeline" }));
  const last = await say();
  assert.equal(last?.type, "stopped");
  assert.match(last?.type === "stopped" ? last.reason : "", /^Ended: LLM error \(one\): nobody there/);
});

test("a recovery handler can put an answer in place of the model's", async (t) => {
  const { say } = await loopWith(t, failing({ choice: "use-fallback", text: "Later." }));
  const last = await say();
  assert.deepEqual(last?.type === "answered" && last.text, "Later.");
});

test("a skill that answers in the model's place, drops or ends the turn is named, and its words keep their label", async (t) => {
  const label: Label = { ...bottomLabel, integrity: "untrusted" };
  const by = { skill: "away", label };
  const judged: Label[] = [];
  const endOf = async (recovery: RecoveryChoice) => {
    const { say, state } = await loopWith(t, {
      ...failing(recovery),
      judgeTelling: async (_turn, _text, of) => {
        judged.push(of);
        return { decision: "pass", reason: "", trace: [], asks: [] };
      },
    });
    const last = await say();
    const turn = last?.type === "answered" ? await state.turns.get(last.turn) : null;
    const words = last?.type === "answered" ? last.text : last?.type === "stopped" ? last.reason : "";
    return { words, kept: turn?.messages.at(-1) };
  };
  const { words, kept } = await endOf({ choice: "use-fallback", text: "Later.", by });
  assert.equal(words, "The skill away answers: Later.");
  assert.ok(kept?.role === "assistant");
  assert.deepEqual([kept.text, kept.label, kept.provider], [words, label, "skill away"]);
  assert.match((await endOf({ choice: "skip-signal", by })).words, /^Skipped by the skill away: LLM error/);
  const ended = (await endOf({ choice: "abort-pipeline", reason: "no luck", by })).words;
  assert.match(ended, /^Ended by the skill away: no luck\nLLM error/);
  assert.deepEqual(judged, [label, label]);
});

test("a fallback that may not be told is not sent", async (t) => {
  const blocked = { decision: "block", reason: "no", trace: [], asks: [] } as const;
  const { say } = await loopWith(t, {
    ...failing({ choice: "use-fallback", text: "Later." }),
    judgeTelling: async () => blocked,
  });
  assert.equal((await say())?.type, "failed");
});

test("a recovery handler is asked with the typed error; without a choice the failure is the result", async (t) => {
  const asked: unknown[] = [];
  const recover = async (error: unknown): Promise<null> => {
    asked.push(error);
    return null;
  };
  const { say } = await loopWith(t, { ...failing(null), recover });
  const last = await say();
  assert.deepEqual(last?.type === "failed" && last.code, "exhausted");
  assert.deepEqual(asked, [noAnswer]);
});

test("a crash is a loop-error at depth 0 and 1, deeper it is only told", async (t) => {
  const { say, notes } = await loopWith(t, { think: async () => Promise.reject(new Error("a stage broke")) });
  for (const [depth, event] of [
    [0, "loop-error"],
    [1, "loop-error"],
    [2, "crash"],
  ] as const) {
    const last = await say({ depth });
    assert.deepEqual(last?.type === "failed" && last.code, "loop-error");
    assert.match(last?.type === "failed" ? last.reason : "", /a stage broke/);
    assert.equal(notes.at(-1)?.["event"], event);
  }
});

/** A call of a tool that is not there. */
function callingNothing(id: string): ThinkResult {
  const call = { id, action: { target: "tool", payload: {}, explanation: "x" } };
  const thought = { kind: "calls", note: "", calls: [call], native: true } as const;
  return { kind: "thought", thought, text: "", provider: "one", raw: null, label: bottomLabel };
}

const unknownTool: Pick<LoopParts, "prepare" | "callerOf"> = {
  prepare: async (action) => ({ ok: false, action, code: "unknown-tool", message: "no such tool" }),
  callerOf: async (turn) => ({
    turn: turn.id,
    session: turn.session,
    person: turn.signal.person,
    source: turn.signal.source,
    startedBy: turn.signal.person === "nobody" ? "nobody" : "person",
    workspace: null,
    known: new Map(),
    promptLabel: bottomLabel,
  }),
};

test("a result is shown to a person only where telling it passes", async (t) => {
  const refused = { decision: "block", reason: "it is private", trace: [], asks: [] } as const;
  for (const [verdict, shown] of [
    [undefined, "no such tool"],
    [refused, "[not shown: it is private]"],
  ] as const) {
    const { say, events } = await loopWith(t, {
      depthLimit: () => 1,
      think: async () => callingNothing("c1"),
      ...unknownTool,
      ...(verdict === undefined ? {} : { judgeTelling: async () => verdict }),
    });
    await say();
    assert.deepEqual(
      events.flatMap((event) => (event.type === "outcome" ? [event.content] : [])),
      [shown],
    );
  }
});

test("a turn that nobody started stops after ten steps, and what was done is told", async (t) => {
  const thoughts = { count: 0 };
  const { say } = await loopWith(t, {
    depthLimit: (signal) => signal.depth + (signal.person === "nobody" ? 10 : 50),
    think: async () => {
      thoughts.count += 1;
      return callingNothing(`c${thoughts.count}`);
    },
    ...unknownTool,
  });
  const last = await say({ person: "nobody", source: "system", sensor: "chat-message" });
  assert.equal(thoughts.count, 10);
  assert.deepEqual(last?.type === "stopped" && last.code, "depth-limit");
  assert.match(last?.type === "stopped" ? last.reason : "", /Stopped after 10 steps/);
});

test("a listener that throws harms neither the turn nor the other listeners", async (t) => {
  const { loop, say, reports } = await loopWith(t, failing({ choice: "use-fallback", text: "Still." }));
  loop.subscribe(() => {
    throw new Error("a broken client");
  });
  assert.equal((await say())?.type, "answered");
  assert.match(reports.join(), /a broken client/);
});

test("a perception that is no words of a person is recorded and never thought about", async (t) => {
  const { loop, state, notes } = await loopWith(t, {
    think: async () => Promise.reject(new Error("not expected")),
  });
  const { id: session } = await state.sessions.open({ name: null, workspace: null, source: "emacs" });
  for (const sensor of ["buffer-update", "heartbeat", "tool-output", "approval-required"] as const) {
    const said = await loop.submit({
      id: randomUUID(),
      clientId: null,
      sensor,
      session,
      source: "emacs",
      person: "owner",
      text: "words",
      payload: {},
      depth: 0,
      label: bottomLabel,
      at: 0,
    });
    assert.equal(said.kind, "said");
    assert.equal(notes.at(-1)?.["event"], sensor);
  }
  assert.deepEqual(await state.turns.unfinished(), []);
});

/** Thinking that goes on until it is let go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const thought = { kind: "reply", text: "Done." } as const;
  const think = async (): Promise<ThinkResult> => {
    await promise;
    return { kind: "thought", thought, text: "Done.", provider: "one", raw: null, label: bottomLabel };
  };
  return { think, letGo: resolve };
}

test("a turn whose very crash cannot be kept is told, and taken up again at a later beat", async (t) => {
  const disk = { full: true };
  const thought = { kind: "reply", text: "There is room again." } as const;
  const { loop, state, events, reports, say } = await loopWith(t, {
    think: async () => {
      if (disk.full) throw new Error("a stage broke");
      return { kind: "thought", thought, text: thought.text, provider: "one", raw: null, label: bottomLabel };
    },
    journal: async () => {
      if (disk.full) throw new Error("no space left on the disk");
    },
  });
  const last = await say();
  assert.deepEqual(last?.type === "failed" && last.code, "loop-error");
  assert.match(reports.join(), /could not be saved: no space left/);
  const [left] = await state.turns.unfinished();
  assert.equal(left?.state, "thinking");
  disk.full = false;
  await loop.beat();
  await loop.whenSettled(left?.id ?? "");
  const end = events.at(-1);
  assert.equal(end?.type === "answered" && end.text, "There is room again.");
});

test("a turn is settled as soon as it is itself at an end, whatever waits behind it", async (t) => {
  const first = held();
  const second = held();
  const thinking = [first.think, second.think];
  const { loop, state, events, say } = await loopWith(t, {
    think: async () => (thinking.shift() ?? second.think)(),
  });
  const one = say();
  const two = say();
  first.letGo();
  await one;
  assert.equal(events.filter(({ type }) => type === "answered").length, 1);
  assert.equal((await state.turns.unfinished()).length, 1);
  second.letGo();
  await two;
  await loop.whenIdle();
});

test("an answer that is refused withdraws what was streamed of it", async (t) => {
  const thoughtOf = (thought: ParsedAnswer, text: string): ThinkResult => {
    return { kind: "thought", thought, text, provider: "one", raw: null, label: bottomLabel };
  };
  const answers: ThinkResult[] = [
    thoughtOf({ kind: "invalid", reason: "it named its own verdict", text: "(…" }, "(…"),
    thoughtOf({ kind: "reply", text: "a secret" }, "a secret"),
  ];
  const { say, events } = await loopWith(t, {
    think: async () => {
      const answer = answers.shift();
      if (answer === undefined) throw new Error("not asked a third time");
      return answer;
    },
    judgeTelling: async () => ({ decision: "block", reason: "not for you", trace: [], asks: [] }),
  });
  assert.equal((await say())?.type, "blocked");
  const withdrawn = events.flatMap((event) => (event.type === "text" && event.reset ? [event.text] : []));
  assert.deepEqual(withdrawn, ["it named its own verdict", "not for you"]);
});
