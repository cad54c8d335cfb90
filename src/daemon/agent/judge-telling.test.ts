import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadPolicy } from "../../settings/policy.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Facts } from "../../signal/facts.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Signal } from "../../signal/signal.ts";
import type { Turn } from "../../signal/turn.ts";
import { makeJudgeTelling } from "./judge-telling.ts";

const key = "sk-ant-api03-0123456789abcdefghijklmnopqrstuv";
const workspace = "/somewhere";

/** Judges telling with a real policy, and keeps what the judge was given. */
function makeBench(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), "telling-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const policy = loadPolicy({ HOME: home, ANTHROPIC_API_KEY: key });
  const judged: { readonly effects: readonly Effect[]; readonly facts: Facts }[] = [];
  const judgeTelling = makeJudgeTelling({
    policy: {
      ...policy,
      judge(effects, facts) {
        judged.push({ effects, facts });
        return policy.judge(effects, facts);
      },
    },
    sessions: {
      get: async (id) => ({
        id,
        name: null,
        workspace,
        source: "cli",
        focus: null,
        createdAt: 0,
        updatedAt: 0,
      }),
    },
  });
  return { judgeTelling, judged };
}

function turnOf(signal: Partial<Signal>): Turn {
  return {
    id: "turn",
    session: "session",
    signal: {
      id: "signal",
      clientId: null,
      sensor: "user-input",
      session: "session",
      source: "cli",
      person: "owner",
      text: "hello",
      payload: {},
      depth: 0,
      label: bottomLabel,
      at: 0,
      ...signal,
    },
    state: "thinking",
    depth: 0,
    depthLimit: 50,
    rejections: 0,
    messages: [],
    pending: [],
    running: null,
    approved: null,
    text: "",
    code: "",
    startedAt: 0,
    updatedAt: 0,
  };
}

test("the owner may be told public and private text", async (t) => {
  const { judgeTelling } = makeBench(t);
  assert.equal((await judgeTelling(turnOf({}), "Hello.", bottomLabel)).decision, "pass");
  const label = { ...bottomLabel, secrecy: "private" } as const;
  assert.equal((await judgeTelling(turnOf({}), "Hello.", label)).decision, "pass");
});

test("telling is one final effect on the person, channel and session of the turn, with the label of the text", async (t) => {
  const { judgeTelling, judged } = makeBench(t);
  const label = { ...bottomLabel, integrity: "untrusted" } as const;
  await judgeTelling(turnOf({ source: "tui" }), "Hello.", label);
  assert.deepEqual(judged[0]?.effects, [
    {
      kind: "tell-person",
      target: "owner on tui",
      person: "owner",
      channel: "tui",
      session: "session",
      ownSession: true,
      label,
      reversal: "final",
    },
  ]);
  assert.equal(judged[0]?.facts.folders.workspace, workspace);
  assert.equal(judged[0]?.facts.origin.startedBy, "person");
});

test("a turn that nobody started tells the owner", async (t) => {
  const { judgeTelling, judged } = makeBench(t);
  await judgeTelling(turnOf({ person: "nobody", source: "system" }), "Hello.", bottomLabel);
  const [effect] = judged[0]?.effects ?? [];
  assert.equal(effect?.kind === "tell-person" && effect.person, "owner");
  assert.equal(judged[0]?.facts.origin.startedBy, "nobody");
});

test("a secret label is not told to a person who is not the owner", async (t) => {
  const { judgeTelling } = makeBench(t);
  const label = { ...bottomLabel, secrecy: "secret" } as const;
  const verdict = await judgeTelling(turnOf({ person: "unproved" }), "Hello.", label);
  assert.notEqual(verdict.decision, "pass");
});

test("a key that the filter masks is no finding", async (t) => {
  const { judgeTelling, judged } = makeBench(t);
  await judgeTelling(turnOf({}), `The key is ${key}.`, bottomLabel);
  assert.deepEqual(judged[0]?.facts.findings, []);
});
