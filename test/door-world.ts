import assert from "node:assert/strict";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { type ModelDoorParts, openModelDoor } from "../src/reason/model/call-model.ts";
import type { ModelCallHooks, ModelCallRequest } from "../src/reason/model/model-call.ts";
import type { Provider } from "../src/reason/model/model-port.ts";
import { type LedgerPort, Reservation } from "../src/reason/model/reservation.ts";
import { buildProviders } from "../src/reason/providers/registry.ts";
import { makeScriptedProvider } from "../src/reason/providers/scripted.ts";
import type { ProviderSetting } from "../src/reason/providers/settings.ts";
import type { Facts } from "../src/signal/facts.ts";
import type { JournalRecord } from "../src/signal/journal-entry.ts";
import { bottomLabel } from "../src/signal/label.ts";
import type { Message } from "../src/signal/message.ts";
import type { ProviderRest } from "../src/signal/provider-rest.ts";
import type { RefusedContent } from "../src/signal/refused-content.ts";
import type { PrefixBreak, SentPrefix } from "../src/signal/sent-prefix.ts";
import type { Judge } from "../src/signal/verdict.ts";
import type { Wait } from "../src/text/clock.ts";
import { type Step, startLoopbackProvider } from "./loopback-provider.ts";

/** Pauses shorter than this pass at once; longer waits are watches, and pass only by `elapse`. Milliseconds. */
const watchMs = 10_000;

/** A price that a ledger holds, for requests that are sent without the door. */
export const paid: Reservation = await holdPrice();

async function holdPrice(): Promise<Reservation> {
  const ledger: LedgerPort = {
    reserve: async () => ({ ok: true, id: "paid" }),
    settle: async () => undefined,
    release: async () => undefined,
  };
  const price = { from: "table", day: null } as const;
  const wanted = { turn: "t", session: "s", provider: "p", model: "m", price, route: null };
  const held = await Reservation.hold(ledger, wanted, { inputTokens: 0, outputTokens: 0, microdollars: 0 });
  if (!held.ok) throw new Error("This ledger refuses nothing.");
  return held.reservation;
}

/** Time under test control: nobody sleeps. */
export function makeTime() {
  let now = 1_000_000;
  const pauses: number[] = [];
  const watches = new Set<{ readonly milliseconds: number; readonly resolve: () => void }>();
  const wait: Wait = (milliseconds, cancel) => {
    if (cancel.aborted) return Promise.resolve();
    if (milliseconds < watchMs) {
      pauses.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const watch = { milliseconds, resolve };
      watches.add(watch);
      cancel.addEventListener("abort", () => {
        watches.delete(watch);
        resolve();
      });
    });
  };
  return {
    clock: () => now,
    wait,
    pauses,
    /** Lets the one watch that is set run out. */
    elapse: async (): Promise<void> => {
      while (watches.size === 0) await turnOfTheLoop();
      for (const watch of [...watches]) {
        watches.delete(watch);
        now += watch.milliseconds;
        watch.resolve();
      }
    },
  };
}

/** A ledger with one cap in memory, which writes down what happens to it. Millionths of a dollar. */
function makeLedger(cap: number, events: string[]) {
  const booked: { readonly provider: string; readonly inputTokens: number; readonly microdollars: number }[] =
    [];
  const held = new Map<string, { readonly provider: string; readonly microdollars: number }>();
  const released: string[] = [];
  const spent = (): number =>
    [...held.values(), ...booked].reduce((sum, { microdollars }) => sum + microdollars, 0);
  const ledger: LedgerPort = {
    reserve: async ({ provider, microdollars }) => {
      const remaining = cap - spent();
      if (microdollars > remaining) return { ok: false, remaining, requested: microdollars };
      const id = `reservation-${events.length}`;
      events.push(`reserve ${provider}`);
      held.set(id, { provider, microdollars });
      return { ok: true, id };
    },
    settle: async (id, used) => {
      const provider = held.get(id)?.provider ?? "unknown";
      if (!held.delete(id)) throw new Error("settled twice");
      events.push(`settle ${provider}`);
      booked.push({ provider, ...used });
    },
    release: async (id, reason, used) => {
      const provider = held.get(id)?.provider ?? "unknown";
      if (!held.delete(id)) throw new Error("released twice");
      events.push(`release ${provider}`);
      released.push(`${provider}: ${reason}`);
      if (used !== undefined) booked.push({ provider, ...used });
    },
  };
  return { ledger, booked, released, held };
}

/** A judge that blocks what has no reservation or has findings, and passes the rest. */
const plainJudge: Judge = (effects, facts) => {
  const blocked =
    facts.findings.length > 0 ||
    effects.some((effect) => effect.kind === "call-model" && effect.reservedMicrodollars === null);
  return { decision: blocked ? "block" : "pass", reason: blocked ? "not covered" : "", trace: [], asks: [] };
};

/** The facts of a model call that a person's turn makes. */
function factsOf(findings: Facts["findings"]): Facts {
  return {
    action: { kind: "model-call", target: "model", tool: null, explanation: "", problems: [] },
    origin: { person: "owner", source: "cli", session: "s1", startedBy: "person" },
    permission: "allow",
    folders: { workspace: null, notes: "/home/o/memex", home: "/home/o", own: [] },
    sandbox: true,
    findings,
    licences: [],
    healthy: true,
  };
}

/** All that the door needs, with what it did to it. `PASSWORD-…` words are the secrets. */
export function makeDoorWorld(providers: readonly Provider[], cap = Number.POSITIVE_INFINITY) {
  const events: string[] = [];
  const journal: JournalRecord[] = [];
  const time = makeTime();
  const books = makeLedger(cap, events);
  const kept: ProviderRest[] = [];
  const refused: RefusedContent[] = [];
  const prefixes = new Map<string, SentPrefix>();
  const breaks: PrefixBreak[] = [];
  const parts: ModelDoorParts = {
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    cascade: providers.map(({ name }) => name),
    unpricedModels: "allow",
    judge: (effects, facts) => {
      events.push("judge");
      return plainJudge(effects, facts);
    },
    facts: ({ findings }) => factsOf(findings),
    ledger: books.ledger,
    journal: async (record, { forced }) => {
      events.push(`${record.kind}${forced ? " forced" : ""}`);
      journal.push(record);
    },
    secrets: {
      scan: (text) => [...text.matchAll(/PASSWORD-\w+/g)].map(() => ({ rule: "password" })),
      mask: (text) => text.replaceAll(/PASSWORD-\w+/g, "[masked: password]"),
    },
    privatePassages: {
      ready: async () => undefined,
      withhold: (text) => text.replaceAll(/PRIVATE-\w+/g, "[withheld: private]"),
      withholdAcross: (texts) => texts.map((text) => text.replaceAll(/PRIVATE-\w+/g, "[withheld: private]")),
      revision: () => 0,
    },
    textMayLeave: true,
    labelAgain: async (messages) => messages,
    readAttached: async (digest) => new TextEncoder().encode(`bytes of ${digest}`),
    refusals: {
      all: async () => refused,
      save: async (saved) => void refused.splice(0, refused.length, ...saved),
    },
    sentPrefixes: {
      last: async (session) => prefixes.get(session) ?? null,
      save: async (session, prefix) => void prefixes.set(session, prefix),
      breaks: async () => breaks,
      addBreak: async (broken) => void breaks.push(broken),
    },
    rests: { all: async () => kept, save: async (saved) => void kept.splice(0, kept.length, ...saved) },
    report: (message) => events.push(`report ${message}`),
    clock: time.clock,
    wait: time.wait,
    jitter: () => 0.5,
    timeouts: { firstTokenMs: 60_000, silenceMs: 30_000, noticeMs: 10_000, cascadeMs: 120_000 },
  };
  return { parts, events, journal, time, books };
}

/** Hooks that write down what a person saw. */
export function makeHooks() {
  const shown: string[] = [];
  const hooks: ModelCallHooks = {
    onText: (delta) => shown.push(`text ${delta}`),
    onThinking: (delta) => shown.push(`thinking ${delta}`),
    onReset: (reason) => shown.push(`reset ${reason}`),
    onNotice: (text) => shown.push(`notice ${text}`),
  };
  return { hooks, shown };
}

/** The owner's words as a message. */
export function says(text: string, secrecy: "public" | "private" | "secret" = "public"): Message {
  return { role: "user", text, label: { ...bottomLabel, secrecy } };
}

/** A request of the owner's turn. */
export function requestOf(
  ...messages: readonly Message[]
): ModelCallRequest & { readonly maxOutputTokens: number } {
  return {
    turn: "t1",
    origin: { person: "owner", source: "cli", session: "s1", startedBy: "person" },
    system: "You are an agent.",
    formSystem: "You are an agent without tool calls.",
    messages,
    tools: [
      {
        name: "read-file",
        description: "Reads a file.",
        parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ],
    maxOutputTokens: 1_000,
    stableMessages: 0,
    keepLast: 1,
    route: null,
  };
}

/** A provider behind a test server; an `ollama` called `first` unless the setting says otherwise. */
export function providerAt(url: string, setting: Partial<ProviderSetting> = {}): Provider {
  const whole: ProviderSetting = {
    name: "first",
    kind: "ollama",
    baseUrl: `${url}/v1`,
    apiKey: null,
    model: null,
    ...setting,
  };
  const provider = buildProviders([whole], () => 0).providers.get(whole.name);
  assert.ok(provider);
  return provider;
}

/** A provider called `second` that always answers. */
export const second = () =>
  makeScriptedProvider(
    { name: "second", answers: [{ text: "from the second", repeat: true }] },
    makeTime().wait,
  );

/** A first provider that plays these steps over HTTP, a second that answers, and one call through the door. */
export async function callWith(steps: readonly Step[], setting: Partial<ProviderSetting> = {}) {
  await using server = await startLoopbackProvider(steps);
  const world = makeDoorWorld([providerAt(server.url, setting), second()]);
  const { hooks, shown } = makeHooks();
  const never = new AbortController().signal;
  const outcome = await openModelDoor(world.parts).callModel(requestOf(says("hi")), hooks, never);
  return { ...world, outcome, shown, requests: server.requests };
}
