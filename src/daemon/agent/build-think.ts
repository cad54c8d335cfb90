import { randomUUID } from "node:crypto";
import { makeNotesByMeaning } from "../../memory/recall/notes-by-meaning.ts";
import { makeNextAppointments } from "../../notes/next-appointments.ts";
import { recogniseCommand } from "../../perceive/commands.ts";
import { type History, type HistoryRoom, mostHistoryTokens } from "../../reason/prepare-prompt.ts";
import type { ReflexLine } from "../../reason/reflex.ts";
import { makeThink, type Think, type ThinkParts } from "../../reason/think.ts";
import type { ModelRoute } from "../../signal/model-route.ts";
import { isJobSignal, isTextRequest } from "../../signal/signal.ts";
import { subTaskOf } from "../../signal/sub-task.ts";
import type { Caller } from "../../signal/tool.ts";
import type { Turn } from "../../signal/turn.ts";
import type { TaughtText } from "../../skills/find-triggered.ts";
import { countOf } from "../../text/count-of.ts";
import type { AppendToJournal, JudgeTelling } from "../../turn/step-ports.ts";
import { readForm, readPlist } from "../../wire/codec/reader.ts";
import { changedWords } from "../commands/folder-orders.ts";
import { notePlace } from "../commands/session-place.ts";
import { makeConsensus } from "./models/ask-other-models.ts";
import { seesPast } from "./models/caller-of-turn.ts";
import { connectProviders } from "./models/connect-providers.ts";
import { dropChoice } from "./models/drop-choice.ts";
import type { OrderNotice } from "./models/order-notice.ts";
import { makeModelLimit, makeTurnRoute } from "./models/route-turn.ts";
import { makeLiveState } from "./prompt/live-state.ts";
import { makeNotesContext } from "./prompt/notes-context.ts";
import { describeSurroundings, makePromptSettings } from "./prompt/prompt-settings.ts";
import { capOfJob } from "./resources/cap-of-job.ts";
import { namesForAll, textsOf } from "./resources/folder-skills.ts";
import type { LoopResources } from "./resources/loop-resources.ts";
import { reviewTaskOf } from "./review/review-ports.ts";
import { lostNotices } from "./start-notices.ts";
import type { AssembledTools } from "./tools/assemble-tools.ts";
import { makeToolDeclarations } from "./tools/declared-tools.ts";

/** Turns whose skill is remembered; the oldest go first. */
const mostRemembered = 64;

/**
 * Milliseconds that a turn waits for the notes that its words mean; then those that have the words are shown
 * alone.
 */
const patienceForMeaning = 300;

/** What the stage that thinks needs of the others. */
export type BuildThinkParts = LoopResources & {
  readonly tools: AssembledTools;
  readonly journal: AppendToJournal;
  readonly judgeTelling: JudgeTelling;
  /** Who calls the tools of a turn. */
  readonly callerOf: (turn: Turn) => Promise<Caller>;
  readonly orderNotice: Pick<OrderNotice, "ofTurn">;
};

/**
 * The stage that thinks, what chooses the models of a turn, and whether the models of a turn under way would
 * get the words of one that waits as they are.
 */
export type BuiltThink = {
  readonly think: Think;
  readonly route: (turn: Turn) => Promise<ModelRoute | null>;
  readonly consensus: ReturnType<typeof makeConsensus>;
  readonly maySteer: (steering: Turn, turn: Turn) => Promise<boolean>;
  readonly isCommand: (turn: Turn) => boolean;
};

/** Joins the stage that thinks to memory, the providers, the tools and the judge. */
export function buildThink(parts: BuildThinkParts): BuiltThink {
  const { policy, state, clock, report } = parts;
  const skills = new Map<string, string>();
  const connected = connectProviders({
    policy,
    privateText: parts.privateText,
    ledger: state.ledger,
    flightPlans: state.flightPlans,
    raisedBudget: state.raisedBudget,
    capOfJob: (wanted) => capOfJob(state, wanted),
    subTaskOf: state.subTasks.of,
    skillOf: (turn) => skills.get(turn) ?? null,
    rests: state.providerRests,
    refusals: state.refusedContents,
    sentPrefixes: state.sentPrefixes,
    attachments: state.attachments,
    journal: parts.journal,
    clock,
    report,
  });
  const liveState = buildLiveState(parts, (turn, skill) => {
    skills.set(turn, skill);
    for (const [oldest] of skills) if (skills.size > mostRemembered) skills.delete(oldest);
  });
  const routing = {
    config: policy.config,
    order: () => policy.cascade().order,
    state,
    privateText: parts.privateText,
    liveState,
    past: async (turn: Turn) =>
      (await historyOf(parts, turn, { tokens: mostHistoryTokens, told: false })).messages,
    isReflex: (turn: Turn) => reflexLine(turn) !== null,
  };
  const route = makeTurnRoute(routing);
  const thinkOn = joinThink(parts, connected, liveState);
  const think: Think = async (turn, hooks, cancel) =>
    thinkOn(await state.turns.toldOfUndo(turn), hooks, cancel);
  return {
    think,
    route,
    consensus: makeConsensus({
      config: policy.config,
      think,
      limit: makeModelLimit(routing),
      identityOf: connected.identityOf,
      filter: policy.filter,
      prepare: async (turn, { action }) => parts.tools.acting.prepare(action, await parts.callerOf(turn), []),
    }),
    isCommand: ({ signal }) => recogniseCommand(signal) !== null,
    maySteer: async (steering, turn) => {
      // The words go to the models of the turn that they join, whatever order counts meanwhile.
      const asked = connected.inOrder(turn.route?.asked ?? null);
      const held = policy.config.modelRoutes.length === 0 ? asked : connected.remoteFirst(asked);
      return asked.length > 0 && (await connected.heldBack(steering, held)) === null;
    },
  };
}

/** What a turn sees of the turns of its session before it. */
async function historyOf({ state }: BuildThinkParts, turn: Turn, room: HistoryRoom): Promise<History> {
  return seesPast(turn) ? state.turns.stableHistory(turn.session, room) : { messages: [], hasOlder: false };
}

/** Gathers the live part of a prompt, with the notes that go with a turn. */
function buildLiveState(
  parts: BuildThinkParts,
  onSkill: (turn: string, skill: string) => void,
): ThinkParts["liveState"] {
  const { policy, state, clock } = parts;
  return makeLiveState({
    state,
    clock,
    context: buildContext(parts),
    logLimit: policy.config.logLimit,
    appointments: makeNextAppointments({
      stampsFor: (from, to) => parts.notes.agendaStamps(from, to),
      clock,
      report: parts.report,
    }),
    lostNotes: () => lostNotices(policy),
    rules: policy.rules.count,
    async taught(turn) {
      const texts = await taughtTexts(parts, turn);
      const [first] = texts;
      if (first !== undefined) onSkill(turn.id, first.skill);
      return [...(await parts.skills.mandatesFor(turn.signal)), ...texts];
    },
    onContext: (session, { pieces }) =>
      parts.shownNotes.set(session, {
        notes: new Set(pieces.flatMap(({ nodes }) => nodes)).size,
        tokens: pieces.reduce((sum, { tokens }) => sum + tokens, 0),
      }),
  });
}

function joinThink(
  parts: BuildThinkParts,
  connected: ReturnType<typeof connectProviders>,
  liveState: ThinkParts["liveState"],
): Think {
  const { policy, state, tools, report } = parts;
  const { config } = policy;
  return makeThink({
    ...connected,
    liveState,
    newId: randomUUID,
    ...makePromptSettings({
      policy,
      originsOf: state.origins.of,
      taughtMandates: parts.skills.mandates,
      version: parts.version,
      report,
    }),
    ...describeFolder(parts),
    history: (turn, room) => historyOf(parts, turn, room),
    toolDeclarations: makeToolDeclarations({
      ...parts,
      workspaceOf: async (session) => (await state.sessions.get(session))?.workspace ?? null,
      declaredBefore: async (session) =>
        (await state.turns.ofSession(session, { limit: 2 })).findLast(
          ({ declared }) => declared !== undefined,
        )?.declared ?? [],
    }),
    toolNames: tools.acting.toolNames,
    home: policy.folders.home,
    answer: {
      targets: tools.acting.targets,
      tools: tools.acting.tools,
      readForm,
      plist: readPlist,
    },
    reflexLine,
    atBudgetCap: config.atBudgetCap,
    mayTell: async (turn, label) => (await parts.judgeTelling(turn, "", label)).decision === "pass",
    makeFilter: policy.makeFilter,
    filter: policy.filter,
    report,
  });
}

/**
 * Where a session works, with the orders of its folder; and, once, that this is another folder than it was,
 * which of the orders changed since the owner was shown them, that models are asked in another order, and
 * that the model of the session is not asked any more.
 */
function describeFolder(parts: BuildThinkParts): Pick<ThinkParts, "place" | "notice"> {
  const { policy, state, sandbox, orders, folderSkills, orderNotice } = parts;
  const told = new Set<string>();
  const workspaceOf = async (session: string) => (await state.sessions.get(session))?.workspace ?? null;
  return {
    place: async ({ session, signal }) => {
      const folder = await workspaceOf(session);
      const { text } = folder === null ? { text: "" } : await orders.read(folder);
      const subTask = subTaskOf(signal);
      const workspace = subTask?.folder ?? folder;
      const usable = subTask !== null || isTextRequest(signal) ? [] : await folderSkills.inForce(folder);
      const skills = namesForAll(usable);
      return describeSurroundings(policy, { workspace, sandbox: sandbox !== null, orders: text, skills });
    },
    notice: async (turn) => {
      const { session } = turn;
      const models = [orderNotice.ofTurn(turn), await dropChoice(parts, turn)];
      const workspace = await workspaceOf(session);
      const changed = workspace === null ? [] : (await orders.read(workspace)).changed;
      const key = JSON.stringify([session, changed]);
      const isNews = workspace !== null && changed.length > 0 && !told.has(key);
      if (isNews) told.add(key);
      const isOther = workspace !== null && (await notePlace(state, session, workspace));
      const other = isOther ? otherFolder(workspace) : null;
      const news = [other, ...models, isNews ? changedWords(changed, workspace) : null];
      const lines = news.filter((line) => line !== null);
      return lines.length === 0 ? null : lines.join("\n");
    },
  };
}

function otherFolder(folder: string): string {
  return `${folder} is another folder than the one in which this session worked: it was made anew, or another disk is there. The session goes on in it.`;
}

/** What skills say in the prompt of a turn: the one that its words trigger, and those that lie in folders. */
async function taughtTexts(parts: BuildThinkParts, turn: Turn): Promise<readonly TaughtText[]> {
  const { skills, folderSkills, state, tools } = parts;
  const { workspace, focus } = (await state.sessions.get(turn.session)) ?? { workspace: null, focus: null };
  const tags = async () => {
    const { tagsOfTurn } = await import("./skills/tags-of-turn.ts");
    const { home } = parts.policy.folders;
    return tagsOfTurn({ ...parts, home }, { signal: turn.signal, workspace, focus });
  };
  const own = (await skills.textFor(turn.signal, tags)) ?? tools.builtIn.textFor(turn.signal);
  return [...(own === null ? [] : [own]), ...textsOf(await folderSkills.neededBy(turn, workspace))];
}

function buildContext({ notes, state, policy, semanticIndex, report }: BuildThinkParts) {
  const { similarityThreshold, contextBudget } = policy.config;
  return makeNotesContext({
    parts: { notes, own: (id) => state.objects.get("own", id) },
    meant: makeNotesByMeaning({
      semanticIndex,
      count: () => notes.index.count(),
      patience: patienceForMeaning,
    }),
    ready: () => notes.ready(),
    limits: { threshold: similarityThreshold, budget: contextBudget },
    report,
  });
}

/** The command line that the owner typed behind `!`; null in a turn that began otherwise. */
export function typedCommand({ signal }: Turn): string | null {
  const command = recogniseCommand(signal);
  return command?.kind === "run" ? command.line : null;
}

/** `/note`, `/agenda`, `/search` and `!` are the reflex engine's `note`, `agenda`, `recall` and `run`. What is about the review inbox is a call of its tool. */
function reflexLine({ signal }: Turn): ReflexLine | null {
  const task = reviewTaskOf(signal);
  if (task !== null) {
    const { verb, ids } = task;
    return {
      tool: "review",
      args: { verb, ids: [...ids] },
      description: `${verb} ${countOf(ids.length, "proposal")}`,
    };
  }
  if (isJobSignal(signal)) return signal.payload["tier"] === "reflex" ? signal.text : null;
  const command = recogniseCommand(signal);
  if (command?.kind === "note") return `note ${command.text}`;
  if (command?.kind === "run") return `run ${command.line}`;
  if (command?.kind === "agenda") return `agenda ${command.day}`.trim();
  return command?.kind === "search" ? `recall ${command.query}` : null;
}
