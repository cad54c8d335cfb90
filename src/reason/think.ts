import type { ChosenModel } from "../signal/chosen-model.ts";
import { type JoinConversation, makeConversationJoin } from "../signal/conversation-join.ts";
import { bottomLabel, joinAll, type Label } from "../signal/label.ts";
import { conversationLabel } from "../signal/message.ts";
import { messagesAsSent, type ToldState } from "../signal/told-state.ts";
import type { ToolDeclaration } from "../signal/tool.ts";
import { type Turn, turnOrigin } from "../signal/turn.ts";
import type { Json } from "../text/json.ts";
import { callToTheEnd } from "./continue-answer.ts";
import { failureOf } from "./failure-of-outcome.ts";
import { type HeldBack, heldBackFailure, type ThinkFailure, wordsFor } from "./held-back.ts";
import type { ModelDoor } from "./model/call-model.ts";
import type { ModelCallHooks, ModelOutcome } from "./model/model-call.ts";
import { type ModelAnswer, type ParsedAnswer, parseAnswer } from "./parse/parse-answer.ts";
import {
  type History,
  type HistoryRoom,
  type PreparedPrompt,
  type PromptRoom,
  type PromptSettings,
  preparePrompt,
} from "./prepare-prompt.ts";
import type { Prompt } from "./prompt/assemble-prompt.ts";
import { unguardCalls } from "./prompt/guard-message.ts";
import type { Place } from "./prompt/instructions.ts";
import { isInstalled, type LiveState } from "./prompt/live-state.ts";
import { shownTexts } from "./prompt/shown-texts.ts";
import { type ReflexLine, reflex } from "./reflex.ts";
import { noStream, openAnswerStream, type TextFilter } from "./reply-stream.ts";

/** The model's answer, with the join of the labels of all that went into it; or why there is no answer. */
export type ThinkResult =
  | {
      readonly kind: "thought";
      readonly thought: ParsedAnswer;
      readonly text: string;
      readonly provider: string;
      /** The model that answered; left out for the reflex engine. */
      readonly model?: string;
      readonly raw: Json;
      readonly label: Label;
      /** What the program told the model in the turn so far; left out where it told nothing. */
      readonly told?: readonly ToldState[];
      /** The names of the tools that were declared; left out where no model was asked. */
      readonly declared?: readonly string[];
    }
  | ThinkFailure;

/** Callbacks for what happens while a model answers. */
export type ThinkHooks = {
  /** A piece of the answer that may be shown. */
  readonly onText: (text: string) => void;
  /** A piece of what the model thinks before it answers, as it came: it may hold keys. */
  readonly onThinking: (text: string) => void;
  /** All pieces so far are withdrawn. */
  readonly onReset: (reason: string) => void;
  /** A word to the waiting person, such as that a provider is silent. */
  readonly onNotice: (text: string) => void;
};

/** Thinks about a turn. A failure is a value; a throw is a crash of the stage. */
export type Think = (turn: Turn, hooks: ThinkHooks, cancel: AbortSignal) => Promise<ThinkResult>;

/** The models that a turn asks, in order; null for the order of the settings. */
export type Asked = readonly ChosenModel[] | null;

/** What thinking needs. */
export type ThinkParts = Omit<PromptSettings, "cascade" | "room" | "contextWindow"> & {
  /** What fits into the smallest window of what may be asked. */
  readonly room: (asked: Asked) => Promise<PromptRoom>;
  readonly door: ModelDoor;
  readonly newId: () => string;
  /** Where the session of the turn works. */
  readonly place: (turn: Turn) => Promise<Place>;
  /** What the owner should know of the folder of the turn before a model is asked; null where there is nothing to say. */
  readonly notice: (turn: Turn) => Promise<string | null>;
  /** The session's messages before this turn that fit into so many tokens, and whether there are older ones. */
  readonly history: (turn: Turn, room: HistoryRoom) => Promise<History>;
  /** The context, logs, time and numbers that go with the words of the turn. */
  readonly liveState: (turn: Turn) => Promise<LiveState>;
  /** Why the words of the turn are not sent before the owner says so; null where they may be. */
  readonly heldBack: (turn: Turn, asked: Asked) => Promise<HeldBack | null>;
  /** The tools that are declared for a turn, in a context window of so many tokens. */
  readonly toolDeclarations: (turn: Turn, contextWindow: number) => Promise<readonly ToolDeclaration[]>;
  /** The tools that the reflex engine may propose. */
  readonly toolNames: () => readonly string[];
  readonly home: string;
  /** What an answer may name, and how a form in its text is read. */
  readonly answer: Pick<ModelAnswer, "readForm" | "plist"> & {
    readonly tools: () => ModelAnswer["tools"];
    /** The actuators that can be reached in the turns of a source. */
    readonly targets: (source: Turn["signal"]["source"]) => ModelAnswer["targets"];
  };
  /** The line for the reflex engine that a command of the owner stands for; null where the turn is about no such command. */
  readonly reflexLine: (turn: Turn) => ReflexLine | null;
  /** Whether a text with this label may be told to the person of the turn. */
  readonly mayTell: (turn: Turn, label: Label) => Promise<boolean>;
  readonly makeFilter: () => TextFilter;
  /** A whole text through the owner's filter. */
  readonly filter: (text: string) => string;
  /** The reservation that the ledger refused last for a turn, in millionths of a dollar. */
  readonly refusedReservation: (
    turn: string,
  ) => { readonly remaining: number; readonly requested: number; readonly advice?: string } | null;
  /** What is done where no model fits into the budget. */
  readonly atBudgetCap: "ask" | "reflex";
  readonly report: (message: string) => void;
};

/** Thinks by reflex where no provider is set up, a rule leaves no model, or the owner commanded a search or a note, else through the model door. */
export function makeThink(parts: ThinkParts): Think {
  const join = makeConversationJoin();
  const leftOutTold = new Set<string>();
  return async (turn, hooks, cancel) => {
    const line = parts.reflexLine(turn);
    const asked = turn.route?.asked ?? null;
    if (line === null && asked?.length === 0) await tellNews(parts, turn, hooks);
    if (line !== null || (asked ?? parts.door.cascade).length === 0) return thinkByReflex(parts, turn, line);
    const held = await parts.heldBack(turn, asked);
    if (held !== null) return heldBackFailure(held);
    await tellNews(parts, turn, hooks);
    const { outcome, ...shown } = await askInRoom(parts, turn, { asked, hooks, join, leftOutTold }, cancel);
    if (!outcome.ok && outcome.code === "over-budget" && parts.atBudgetCap === "reflex") {
      hooks.onNotice(
        "No model fits into the budget now, so I answer by reflex. /budget shows what was spent.",
      );
      return thinkByReflex(parts, turn, null);
    }
    if (!outcome.ok) return failureOf(parts, { turn, asked }, outcome);
    shown.stream.end();
    return thoughtOf(parts, turn, { ...shown, outcome });
  };
}

async function tellNews({ notice }: ThinkParts, turn: Turn, { onNotice }: ThinkHooks): Promise<void> {
  const news = await notice(turn);
  if (news !== null) onNotice(news);
}

/** Asks once more, with less, where a provider said that it has less room than was known. */
async function askInRoom(parts: ThinkParts, turn: Turn, asking: Asking, cancel: AbortSignal) {
  const first = await askModel(parts, turn, asking, cancel);
  const { contextWindow } = await parts.room(asking.asked);
  if (cancel.aborted || !isTooLong(first) || contextWindow >= first.contextWindow) return first;
  asking.hooks.onNotice(
    "The prompt had no room in the model's context. It is sent again with fewer tools and shorter words. `passepartout doctor` says how to make the context larger.",
  );
  return askModel(parts, turn, asking, cancel);
}

/** `leftOutTold`: the sessions whose owner was told that earlier messages are left out. */
type Asking = {
  readonly asked: Asked;
  readonly hooks: ThinkHooks;
  readonly join: JoinConversation;
  readonly leftOutTold: Set<string>;
};

/** Calls the models of a turn with the prompt that fits into the smallest of their windows. */
async function askModel(
  parts: ThinkParts,
  turn: Turn,
  { asked, hooks, join, leftOutTold }: Asking,
  cancel: AbortSignal,
) {
  const { contextWindow } = await parts.room(asked);
  const tools = await parts.toolDeclarations(turn, contextWindow);
  const { prompt, told } = await promptOf(parts, turn, { tools, asked });
  if (prompt.pastLeftOut !== null && !leftOutTold.has(turn.session)) {
    leftOutTold.add(turn.session);
    hooks.onNotice(prompt.pastLeftOut);
  }
  const label = conversationLabel(prompt.messages, join);
  const streams = turn.signal.person === "owner" && (await parts.mayTell(turn, label));
  const stream = streams ? openAnswerStream(parts, hooks) : noStream;
  const modelHooks: ModelCallHooks = {
    onText: stream.push,
    onThinking: streams ? hooks.onThinking : () => undefined,
    onNotice: (text) => hooks.onNotice(parts.filter(text)),
    onReset: (reason) => stream.reset(reason),
  };
  const outcome = await callToTheEnd((request) => parts.door.callModel(request, modelHooks, cancel), {
    turn: turn.id,
    origin: turnOrigin(turn),
    system: prompt.system,
    formSystem: prompt.formSystem,
    messages: prompt.messages,
    tools,
    maxOutputTokens: null,
    stableMessages: prompt.stableMessages,
    keepLast: prompt.messages.length - prompt.stableMessages,
    route: turn.route ?? null,
    ...wordsFor(turn),
  });
  return { contextWindow, tools, prompt, told, stream, outcome };
}

/** Whether a provider has no room for the prompt: what it said of its window makes the next one shorter. */
function isTooLong({ outcome }: { readonly outcome: ModelOutcome }): boolean {
  return !outcome.ok && outcome.tries.some(({ code }) => code === "too-long");
}

/** Milliseconds for which the model is not told the time, the notes and the numbers of a turn again. */
const toldFor = 5 * 60_000;

async function promptOf(
  parts: ThinkParts,
  turn: Turn,
  { tools, asked }: { readonly tools: readonly ToolDeclaration[]; readonly asked: Asked },
): Promise<{ readonly prompt: PreparedPrompt; readonly told: readonly ToldState[] }> {
  const live = await parts.liveState(turn);
  const { told = [] } = turn;
  const isFresh = told.some(({ at }) => Math.abs(live.time.now - at) < toldFor);
  const prompt = await preparePrompt(
    {
      ...parts,
      cascade: parts.door.cascade,
      room: () => parts.room(asked),
      contextWindow: async () => (await parts.room(null)).contextWindow,
    },
    {
      tools,
      messages: messagesAsSent(turn),
      place: await parts.place(turn),
      live: isFresh ? null : { ...live, taught: live.taught.filter((one) => !isInstalled(one)) },
      installed: live.taught.filter(isInstalled),
      history: (room) => parts.history(turn, room),
    },
  );
  for (const { name, reason } of prompt.skipped) parts.report(`The mandate ${name} was left out: ${reason}`);
  const next = { after: turn.messages.length, at: live.time.now, messages: prompt.told };
  return { prompt, told: isFresh ? told : [...told, next] };
}

type Thought = {
  readonly prompt: Prompt;
  readonly told: readonly ToldState[];
  readonly tools: readonly ToolDeclaration[];
  readonly outcome: Extract<ModelOutcome, { readonly ok: true }>;
};

function thoughtOf(parts: ThinkParts, turn: Turn, { prompt, told, tools, outcome }: Thought): ThinkResult {
  const {
    text,
    calls,
    callsTools,
    writesMarks,
    provider,
    model,
    raw,
    sentLabel,
    finishReason,
    maxOutputTokens,
  } = outcome;
  const own = parts.answer.tools();
  const parsed = parseAnswer({
    ...parts.answer,
    targets: parts.answer.targets(turn.signal.source),
    tools: [...own, ...tools.filter(({ name }) => !own.some((tool) => tool.name === name))],
    cutAt: finishReason === "length" ? maxOutputTokens : null,
    text,
    calls,
    callsTools,
    writesMarks,
    shown: () => shownTexts(prompt),
    sourceTarget: turn.signal.source,
    formCallId: parts.newId(),
  });
  const thought: ParsedAnswer =
    parsed.kind === "calls" ? { ...parsed, calls: unguardCalls(parsed.calls) } : parsed;
  const declared = tools.flatMap(({ label: own }) => (own === undefined ? [] : [own]));
  const label = joinAll([sentLabel, ...declared, { ...bottomLabel, integrity: "agent" }]);
  return {
    kind: "thought",
    thought,
    text,
    provider,
    model,
    raw,
    label,
    told,
    declared: tools.map(({ name }) => name),
  };
}

function thinkByReflex(parts: ThinkParts, turn: Turn, line: ReflexLine | null): ThinkResult {
  const { home, newId, toolNames } = parts;
  const thought = reflex({ messages: turn.messages, line, tools: toolNames(), callId: newId(), home });
  return {
    kind: "thought",
    thought,
    text: thought.kind === "reply" ? thought.text : "",
    provider: "reflex",
    raw: null,
    label: conversationLabel(turn.messages),
  };
}
