import type { ChosenModel } from "../signal/chosen-model.ts";
import { type JoinConversation, makeConversationJoin } from "../signal/conversation-join.ts";
import {
  BudgetError,
  GateError,
  LlmError,
  type PassepartoutError,
  PipelineError,
} from "../signal/failure.ts";
import { callsUsedUp } from "../signal/jobs/call-caps.ts";
import type { Json } from "../signal/json.ts";
import { bottomLabel, joinLabels, type Label } from "../signal/label.ts";
import { conversationLabel } from "../signal/message.ts";
import type { ToolDeclaration } from "../signal/tool.ts";
import { type Turn, turnOrigin } from "../signal/turn.ts";
import { callToTheEnd } from "./continue-answer.ts";
import type { ModelDoor } from "./model/call-model.ts";
import type { ModelCallHooks, ModelOutcome } from "./model/model-call.ts";
import { type ModelAnswer, type ParsedAnswer, parseAnswer } from "./parse/parse-answer.ts";
import { type History, type PromptRoom, type PromptSettings, preparePrompt } from "./prepare-prompt.ts";
import type { Prompt } from "./prompt/assemble-prompt.ts";
import { unguardCalls } from "./prompt/guard-message.ts";
import type { Place } from "./prompt/instructions.ts";
import type { LiveState } from "./prompt/live-state.ts";
import { shownTexts } from "./prompt/shown-texts.ts";
import { type ReflexLine, reflex } from "./reflex.ts";
import { openReplyStream, type TextFilter } from "./reply-stream.ts";

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
    }
  | { readonly kind: "failure"; readonly code: string; readonly error: PassepartoutError };

/** Callbacks for what happens while a model answers. */
export type ThinkHooks = {
  /** A piece of the answer that may be shown. */
  readonly onText: (text: string) => void;
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
  readonly folderNotice: (turn: Turn) => Promise<string | null>;
  /** The session's messages before this turn that fit into so many tokens, and whether there are older ones. */
  readonly history: (turn: Turn, tokens: number) => Promise<History>;
  /** The context, logs, time and numbers that go with the words of the turn. */
  readonly liveState: (turn: Turn) => Promise<LiveState>;
  /** Why the words of the turn are not sent before the owner says so; null where they may be. */
  readonly heldBack: (turn: Turn, asked: Asked) => Promise<string | null>;
  /** The tools that are declared for a turn. */
  readonly toolDeclarations: (turn: Turn) => Promise<readonly ToolDeclaration[]>;
  /** The tools that the reflex engine may propose. */
  readonly toolNames: () => readonly string[];
  /** What an answer may name, and how a form in its text is read. */
  readonly answer: Pick<ModelAnswer, "targets" | "readForm" | "plist"> & {
    readonly tools: () => ModelAnswer["tools"];
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
  return async (turn, hooks, cancel) => {
    const line = parts.reflexLine(turn);
    const asked = turn.route?.asked ?? null;
    if (line !== null || parts.door.cascade.length === 0 || asked?.length === 0)
      return thinkByReflex(parts, turn, line);
    const question = await parts.heldBack(turn, asked);
    if (question !== null) {
      return { kind: "failure", code: "private-words", error: new PipelineError(question, null) };
    }
    const notice = await parts.folderNotice(turn);
    if (notice !== null) hooks.onNotice(notice);
    const tools = await parts.toolDeclarations(turn);
    const prompt = await promptOf(parts, turn, { tools, asked });
    const stream = await openAnswerStream(parts, turn, { prompt, hooks, join });
    const modelHooks: ModelCallHooks = {
      onText: stream.push,
      onThinking: () => undefined,
      onNotice: hooks.onNotice,
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
      keepLast: turn.messages.length,
      route: turn.route ?? null,
    });
    if (!outcome.ok && outcome.code === "over-budget" && parts.atBudgetCap === "reflex") {
      hooks.onNotice(
        "No model fits into the budget now, so I answer by reflex. /budget shows what was spent.",
      );
      return thinkByReflex(parts, turn, null);
    }
    if (!outcome.ok)
      return { kind: "failure", code: outcome.code, error: failureOf(parts, { turn, asked }, outcome) };
    stream.end();
    return thoughtOf(parts, turn, { prompt, tools, outcome });
  };
}

/** The providers that a turn may ask. */
function askedOf({ door }: ThinkParts, asked: Asked): readonly string[] {
  return asked === null ? door.cascade : [...new Set(asked.map(({ provider }) => provider))];
}

async function promptOf(
  parts: ThinkParts,
  turn: Turn,
  { tools, asked }: { readonly tools: readonly ToolDeclaration[]; readonly asked: Asked },
): Promise<Prompt> {
  const prompt = await preparePrompt(
    {
      ...parts,
      cascade: parts.door.cascade,
      room: () => parts.room(asked),
      contextWindow: async () => (await parts.room(null)).contextWindow,
    },
    {
      tools,
      messages: turn.messages,
      place: await parts.place(turn),
      live: await parts.liveState(turn),
      history: (tokens) => parts.history(turn, tokens),
    },
  );
  for (const { name, reason } of prompt.skipped) parts.report(`The mandate ${name} was left out: ${reason}`);
  return prompt;
}

/** Shows the answer as it comes to an owner who may be told it; to anybody else nothing is streamed. */
async function openAnswerStream(
  parts: ThinkParts,
  turn: Turn,
  {
    prompt,
    hooks,
    join,
  }: { readonly prompt: Prompt; readonly hooks: ThinkHooks; readonly join: JoinConversation },
) {
  const label = conversationLabel(prompt.messages, join);
  const streams = turn.signal.person === "owner" && (await parts.mayTell(turn, label));
  if (!streams) return { push: () => undefined, reset: () => undefined, end: () => undefined };
  let stream = openReplyStream(parts.makeFilter(), hooks.onText);
  return {
    push: (text: string): void => stream.push(text),
    reset(reason: string): void {
      stream = openReplyStream(parts.makeFilter(), hooks.onText);
      hooks.onReset(parts.filter(reason));
    },
    end: (): void => stream.end(),
  };
}

type Thought = {
  readonly prompt: Prompt;
  readonly tools: readonly ToolDeclaration[];
  readonly outcome: Extract<ModelOutcome, { readonly ok: true }>;
};

function thoughtOf(parts: ThinkParts, turn: Turn, { prompt, tools, outcome }: Thought): ThinkResult {
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
  const label = joinLabels(sentLabel, ...declared, { ...bottomLabel, integrity: "agent" });
  return { kind: "thought", thought, text, provider, model, raw, label };
}

function thinkByReflex(parts: ThinkParts, turn: Turn, line: ReflexLine | null): ThinkResult {
  const thought = reflex({ messages: turn.messages, line, tools: parts.toolNames(), callId: parts.newId() });
  return {
    kind: "thought",
    thought,
    text: thought.kind === "reply" ? thought.text : "",
    provider: "reflex",
    raw: null,
    label: conversationLabel(turn.messages),
  };
}

function failureOf(
  parts: ThinkParts,
  { turn, asked }: { readonly turn: Turn; readonly asked: Asked },
  outcome: Extract<ModelOutcome, { readonly ok: false }>,
): PassepartoutError {
  switch (outcome.code) {
    case "over-budget": {
      const refused = parts.refusedReservation(turn.id) ?? { remaining: 0, requested: 0 };
      return new BudgetError(refused.remaining / 1e6, refused.requested / 1e6, refused.advice);
    }
    case "blocked":
      return new GateError(outcome.reason, "model-calls", "call-model");
    case "stopped":
    case callsUsedUp:
      return new PipelineError(outcome.reason, null);
    case "no-provider":
    case "exhausted": {
      const provider = outcome.tries.at(-1)?.provider ?? "none";
      const detail = { provider, cascade: askedOf(parts, asked), attempts: outcome.tries.length };
      return new LlmError(outcome.reason, detail);
    }
  }
}
