import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { readWholeFile } from "../../act/files/contents.ts";
import type { Sandbox } from "../../act/sandbox/bubblewrap.ts";
import type { NoteToForget } from "../../memory/notes/edits/note-copies.ts";
import type { Notes } from "../../memory/notes/open-notes.ts";
import type { SemanticIndex } from "../../memory/recall/semantic-index.ts";
import type { State } from "../../memory/state/state.ts";
import { formatResult } from "../../reason/format-result.ts";
import { openModelDoor } from "../../reason/model/call-model.ts";
import type { Provider } from "../../reason/model/model-port.ts";
import type { Mandate } from "../../reason/prompt/assemble-prompt.ts";
import { buildProviders } from "../../reason/providers/registry.ts";
import { makeScriptedProvider, parseScript } from "../../reason/providers/scripted.ts";
import { wait } from "../../reason/providers/wait.ts";
import type { Policy } from "../../settings/policy.ts";
import { requiresForcedIntent } from "../../signal/effect.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import type { Json } from "../../signal/json.ts";
import type { Label, LabelledValue } from "../../signal/label.ts";
import type { Signal } from "../../signal/signal.ts";
import type { Caller } from "../../signal/tool.ts";
import type { Turn } from "../../signal/turn.ts";
import type { Verdict } from "../../signal/verdict.ts";
import { fallbackAnswer, recoverWith } from "../../turn/recovery-handlers.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import { type Loop, openLoop } from "../../turn/turn-loop.ts";
import { makePreImageKeeper } from "../commands/keep-pre-image.ts";
import type { UndoParts } from "../commands/undo-turn.ts";
import { assembleActing } from "./assemble-tools.ts";
import { findDeferralContext, openFileLocks } from "./file-locks.ts";
import { makeMemoryPorts } from "./memory-ports.ts";
import { makeNotesContext } from "./notes-context.ts";
import { conversationLabel, type ThinkParts, think, turnOrigin } from "./think.ts";

/** The standing mandates that are always there. */
const mandates: readonly Mandate[] = [
  {
    name: "plain-words",
    text: () => "Say plainly what was done, what was refused, and what you do not know.",
  },
];

/** What the loop is built from. */
export type LoopResources = {
  readonly policy: Policy;
  readonly state: State;
  readonly notes: Notes;
  readonly near: SemanticIndex | null;
  readonly sandbox: Sandbox | null;
  readonly clock: () => number;
  readonly version: string;
  readonly report: (message: string) => void;
};

/** Joins the stages into a loop: every power that one needs of another is passed here. */
export function buildLoop(building: LoopResources): Loop {
  const { policy, state, notes, clock, report } = building;
  const { config, judge } = policy;
  const journal = makeJournalPort(state);
  const digestOfFile = async (path: string): Promise<string | null> => {
    const whole = await readWholeFile(path);
    if (!whole.ok) throw new Error(whole.message);
    return whole.value?.digest ?? null;
  };
  const keepPreImage = makePreImageKeeper(state, policy);
  const takeBack: UndoParts = { state, policy, journal, digestOfFile, keepPreImage };
  const cell: { loop: Loop | null } = { loop: null };
  const { acting, tools, actuators } = assembleActing(policy, {
    ...makeMemoryPorts({ state, notes, semanticIndex: building.near, privacyTags: config.privacyTags }),
    keepPreImage,
    tell: (session, channel, text) => cell.loop?.tell(session, channel, text) ?? false,
    sandbox: building.sandbox,
    clock,
    resolve: true,
  });
  const judgeTelling = async (turn: Turn, text: string, label: Label): Promise<Verdict> => {
    const workspace = (await state.sessions.get(turn.session))?.workspace ?? null;
    const { source } = turn.signal;
    const person = turn.signal.person === "nobody" ? "owner" : turn.signal.person;
    const findings = policy
      .scan(policy.filter(text))
      .map(({ rule }) => ({ rule, effectIndex: 0, where: "text" }));
    const facts = policy.makeFacts({
      action: { kind: "reply", target: source, tool: null, explanation: "", problems: [] },
      origin: turnOrigin(turn),
      workspace,
      findings,
    });
    const target = `${person} on ${source}`;
    return judge(
      [
        {
          kind: "tell-person",
          target,
          person,
          channel: source,
          session: turn.session,
          ownSession: true,
          label,
          reversal: "final",
        },
      ],
      facts,
    );
  };
  const doorParts = openDoor(building, journal);
  const thinkParts: Omit<ThinkParts, "identity"> = {
    ...doorParts,
    policy,
    state,
    acting,
    clock,
    newId: randomUUID,
    version: building.version,
    mandates,
    context: makeNotesContext({
      parts: { notes, own: (id) => state.objects.get("own", id) },
      ready: () => notes.ready(),
      limits: { threshold: config.similarityThreshold, budget: config.contextBudget },
      report,
    }),
    mayTell: async (turn, text, label) => (await judgeTelling(turn, text, label)).decision === "pass",
    report,
    registered: { targets: actuators.map(({ name, kind }) => ({ name, kind })), tools },
  };
  const identity = identityOf(policy);
  const hasNote = async (id: string): Promise<boolean> => {
    await notes.ready();
    return ((await notes.index.resolveId(id)) ?? (await state.objects.get("own", id))) !== null;
  };
  const noteWords = async (id: string): Promise<string | null> => {
    await notes.ready();
    return (await notes.index.resolveId(id))?.words || null;
  };
  const noteToForget = async (id: string): Promise<NoteToForget> => {
    await notes.ready();
    const node = await notes.index.resolveId(id);
    if (node === null) return { id, file: null, isFile: false, ownNames: [], subtreeNames: [], text: "" };
    const path = joinPath(notes.status().folder, node.file);
    const nodes = await notes.subtree(id);
    const texts = await notes.texts(nodes);
    const { makeNoteToForget } = await import("../../memory/notes/edits/note-copies.ts");
    return makeNoteToForget(node, { id, file: existsSync(path) ? realpathSync(path) : path, nodes, texts });
  };
  const locks = openFileLocks({
    ...{ clock, keepPreImage, folder: config.places.state },
    changed() {
      cell.loop
        ?.resumeDeferredEdits()
        .catch((error: unknown) => report(`Edits that wait could not be looked at: ${String(error)}`));
    },
  });
  const depthLimit = (signal: Signal): number =>
    signal.depth + (signal.person === "nobody" ? config.depthLimitUnattended : config.depthLimit);
  const loop = openLoop({
    state,
    clock,
    newId: randomUUID,
    judge,
    prepare: acting.prepare,
    callerOf: (turn) => callerOf(state, turn),
    think: async (turn, hooks, cancel) =>
      think({ ...thinkParts, identity: await identity }, turn, hooks, cancel),
    judgeTelling,
    filter: policy.filter,
    maskKeys: policy.maskKeys,
    journal,
    snapshot: async (turn) => void (await state.objects.snapshot(turn.id)),
    recover: recoverWith([fallbackAnswer(config.fallbackAnswer)], report),
    isMessageActuator: acting.isMessageActuator,
    isSilent: acting.isSilent,
    digestOfFile,
    locks,
    depthLimit,
    approvalExpiry: config.approvalExpiry,
    wait,
    async revert(turn) {
      const { revertTurn } = await import("../commands/undo-turn.ts");
      return (await revertTurn(takeBack, turn)).conflicts;
    },
    formatResult,
    async command(command, signal) {
      const { runOwnerCommand } = await import("../commands/owner-commands.ts");
      return runOwnerCommand(
        { ...takeBack, hasNote, noteWords, soughtNote: noteToForget, forgetAside: locks.forgetSetAside },
        command,
        signal,
      );
    },
    report,
  });
  cell.loop = loop;
  return loop;
}

/** The journal as the loop writes it: forced where what is begun must be on the disk first. */
export function makeJournalPort(state: State): AppendToJournal {
  return async (given) => {
    const record: JournalRecord = {
      turn: null,
      session: null,
      digest: null,
      effects: [],
      facts: null,
      verdict: null,
      trace: [],
      changes: [],
      detail: {},
      ...given,
    };
    const forced =
      record.kind === "approval" ||
      record.kind === "rollback" ||
      (record.kind === "intent" && record.effects.some(requiresForcedIntent));
    await state.journal.append(record, { forced });
  };
}

function openDoor({ policy, state, clock, report }: LoopResources, journal: AppendToJournal) {
  const { config } = policy;
  const built = buildProviders(
    config.providers.filter(({ name }) => config.cascade.includes(name) && name !== "scripted"),
    clock,
  );
  for (const problem of built.problems) report(problem);
  const providers = new Map<string, Provider>(built.providers);
  if (config.script !== null && config.cascade.includes("scripted")) {
    const read = parseScript(readFileSync(config.script, "utf8"));
    if (read.ok) providers.set("scripted", makeScriptedProvider(read.script, wait));
    else report(`SCRIPTED_PROVIDER_FILE ${config.script}: ${read.message}`);
  }
  const refused = new Map<string, { readonly remaining: number; readonly requested: number }>();
  const limits = { perDay: config.budgetPerDay * 1e6, perSession: config.budgetPerSession * 1e6 };
  const door = openModelDoor({
    providers,
    cascade: config.cascade,
    selector: null,
    jitter: Math.random,
    judge: policy.judge,
    facts: ({ origin, findings }) =>
      policy.makeFacts({
        action: { kind: "model-call", target: "model", tool: null, explanation: "", problems: [] },
        origin,
        workspace: null,
        findings,
      }),
    ledger: {
      async reserve(wanted) {
        const reserved = await state.ledger.reserve({ ...wanted, limits });
        if (!reserved.ok) refused.set(wanted.turn, reserved);
        return reserved;
      },
      settle: state.ledger.settle,
      release: state.ledger.release,
    },
    journal: (record) => journal(record),
    secrets: { scan: policy.scan, mask: policy.mask },
    clock,
    wait,
    timeouts: {
      firstTokenMs: config.firstTokenTimeout,
      silenceMs: config.firstTokenTimeout,
      cascadeMs: config.cascadeTimeout,
      noticeMs: 10_000,
    },
  });
  const windows = config.cascade.flatMap((name) => providers.get(name)?.contextWindow ?? []);
  return {
    door,
    contextWindow: windows.length === 0 ? 8192 : Math.min(...windows),
    refusedReservation: (turn: string) => refused.get(turn) ?? null,
  };
}

/** The owner's words on who the agent is: `identity.org` of the notes folder, else of the configuration folder. */
async function identityOf({ folders, config }: Policy): Promise<string> {
  for (const folder of [folders.notes, config.places.configuration]) {
    const path = joinPath(folder, "identity.org");
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return readFile(path, "utf8");
  }
  return "";
}

async function callerOf(state: State, turn: Turn): Promise<Caller> {
  const history = await state.turns.history(turn.session, { messages: 200 });
  const messages = [...history, ...turn.messages];
  const putOff = await findDeferralContext(state, turn);
  const words = [turn.signal, ...(putOff === null ? [] : [putOff.signal])];
  const known = new Map<string, LabelledValue<Json>>(
    words.map(({ id, text, label }) => [id, { value: text, label }] as const),
  );
  for (const message of messages) {
    if (message.role !== "result" || message.result.outcome.status !== "success") continue;
    const { id, outcome, label } = message.result;
    known.set(id, { value: outcome.content, label });
  }
  const workspace = (await state.sessions.get(turn.session))?.workspace ?? null;
  return {
    turn: turn.id,
    ...turnOrigin(turn),
    workspace,
    known,
    bases: putOff?.bases ?? new Map(),
    promptLabel: conversationLabel(messages),
  };
}
