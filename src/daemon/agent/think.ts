import type { ActionPreparer } from "../../act/prepare.ts";
import type { State } from "../../memory/state/state.ts";
import { recogniseCommand } from "../../perceive/commands.ts";
import type { ModelDoor, ModelOutcome } from "../../reason/model/call-model.ts";
import { type ModelAnswer, parseAnswer } from "../../reason/parse/parse-answer.ts";
import { type Context, type ContextRequest, contextText } from "../../reason/prompt/assemble-context.ts";
import { assemblePrompt, type Mandate } from "../../reason/prompt/assemble-prompt.ts";
import type { LiveState } from "../../reason/prompt/live-state.ts";
import { reflex } from "../../reason/reflex.ts";
import { openReplyStream } from "../../reason/reply-stream.ts";
import type { Policy } from "../../settings/policy.ts";
import {
  BudgetError,
  GateError,
  LlmError,
  type PassepartoutError,
  PipelineError,
} from "../../signal/failure.ts";
import { bottomLabel, joinConversationLabels, joinLabels, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Turn } from "../../signal/turn.ts";
import type { ThinkHooks, ThinkResult } from "../../turn/think-port.ts";
import { readForm, readPlist } from "../../wire/codec/reader.ts";

/** What thinking is made of. */
export type ThinkParts = {
  readonly policy: Policy;
  readonly state: State;
  readonly acting: ActionPreparer;
  readonly door: ModelDoor;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly version: string;
  readonly identity: string;
  readonly mandates: readonly Mandate[];
  /** What of the notes goes with these words. */
  readonly context: (request: Pick<ContextRequest, "words" | "focus">) => Promise<Context>;
  /** Tokens; the smallest window of the cascade. */
  readonly contextWindow: number;
  readonly mayTell: (turn: Turn, text: string, label: Label) => Promise<boolean>;
  readonly report: (message: string) => void;
  /** What an answer may name. */
  readonly registered: Pick<ModelAnswer, "targets" | "tools">;
  /** The reservation that the ledger refused last for a turn, in millionths of a dollar. */
  readonly refusedReservation: (
    turn: string,
  ) => { readonly remaining: number; readonly requested: number } | null;
};

const maxOutputTokens = 4096;
/** Tokens that the declarations of the tools take, and some for the provider's own frame. */
const reservedTokens = 2000;

/** Thinks about a turn: by reflex where no provider is set up or the owner commanded a search or a note, else through the model door. */
export async function think(
  parts: ThinkParts,
  turn: Turn,
  hooks: ThinkHooks,
  cancel: AbortSignal,
): Promise<ThinkResult> {
  if (parts.door.cascade().length === 0 || commanded(turn) !== null) return byReflex(parts, turn);
  const { state, acting, policy, door } = parts;
  const history = await state.turns.history(turn.session, { messages: 200, tokens: parts.contextWindow });
  const prompt = assemblePrompt({
    identity: { assistant: policy.config.assistant, text: parts.identity, mandates: parts.mandates },
    config: {
      version: parts.version,
      providers: door.cascade(),
      contextWindow: parts.contextWindow,
      gates: policy.gateCount,
    },
    live: await liveOf(parts, turn),
    history,
    turn: turn.messages,
    budget: Math.max(1500, parts.contextWindow - maxOutputTokens - reservedTokens),
  });
  for (const { name, reason } of prompt.skipped) parts.report(`The mandate ${name} was left out: ${reason}`);
  const label = conversationLabel(prompt.messages);
  const streams = turn.signal.person === "owner" && (await parts.mayTell(turn, "", label));
  let stream = openReplyStream(policy.makeFilter(), hooks.onText);
  const outcome = await door.callModel(
    {
      turn: turn.id,
      origin: turnOrigin(turn),
      system: prompt.system,
      messages: prompt.messages,
      tools: acting.declarations(),
      maxOutputTokens: Math.min(maxOutputTokens, Math.floor(parts.contextWindow / 4)),
      keepLast: turn.messages.length,
      cascade: null,
    },
    {
      onText: (text) => {
        if (streams) stream.push(text);
      },
      onThinking: () => undefined,
      onNotice: hooks.onNotice,
      onReset: (reason) => {
        stream = openReplyStream(policy.makeFilter(), hooks.onText);
        if (streams) hooks.onReset(policy.filter(reason));
      },
    },
    cancel,
  );
  if (!outcome.ok) return { kind: "failure", code: outcome.code, error: failureOf(parts, turn, outcome) };
  if (streams) stream.end();
  return {
    kind: "thought",
    thought: parseAnswer({
      text: outcome.text,
      calls: outcome.calls,
      ...parts.registered,
      sourceTarget: turn.signal.source,
      formCallId: parts.newId(),
      readForm,
      plist: readPlist,
    }),
    text: outcome.text,
    provider: outcome.provider,
    raw: outcome.raw,
    label: joinLabels(outcome.sentLabel, { ...bottomLabel, integrity: "agent" }),
  };
}

/** The join of all that a prompt is made from. */
export function conversationLabel(messages: readonly Message[]): Label {
  return joinConversationLabels(
    messages.map((message) => (message.role === "result" ? message.result.label : message.label)),
  );
}

/** Who a turn is for, as the judge sees it. */
export function turnOrigin({ signal, session }: Turn) {
  const startedBy = signal.person === "nobody" ? ("nobody" as const) : ("person" as const);
  return { person: signal.person, source: signal.source, session, startedBy };
}

function commanded(turn: Turn): string | null {
  const command = recogniseCommand(turn.signal);
  if (command?.kind === "note") return `note ${command.text}`;
  return command?.kind === "search" ? `recall ${command.query}` : null;
}

function byReflex(parts: ThinkParts, turn: Turn): ThinkResult {
  const command = commanded(turn);
  const messages = turn.messages.map((message, index) =>
    index === 0 && message.role === "user" && command !== null ? { ...message, text: command } : message,
  );
  const thought = reflex({ messages, tools: parts.acting.toolNames, callId: parts.newId() });
  const text = thought.kind === "reply" ? thought.text : "";
  return {
    kind: "thought",
    thought,
    text,
    provider: "reflex",
    raw: null,
    label: conversationLabel(turn.messages),
  };
}

async function liveOf(parts: ThinkParts, turn: Turn): Promise<LiveState> {
  const { state, clock, policy } = parts;
  const session = await state.sessions.get(turn.session);
  const endings = await state.turns.endings(turn.session, policy.config.logLimit);
  const now = clock();
  const shown = await parts.context({ words: turn.signal.text, focus: session?.focus ?? null });
  const secluded = contextText(shown, "private");
  return {
    context: contextText(shown, "public"),
    privateContext: secluded.text === "" ? null : secluded,
    logs: [...endings].map(([code, count]) => ({ code, count })),
    time: { now, sessionStart: session?.createdAt ?? now, zoneMinutes: -new Date(now).getTimezoneOffset() },
    rules: 0,
    pendingApprovals: (await state.approvals.open()).length,
  };
}

function failureOf(
  parts: ThinkParts,
  turn: Turn,
  outcome: Extract<ModelOutcome, { ok: false }>,
): PassepartoutError {
  switch (outcome.code) {
    case "over-budget": {
      const { remaining, requested } = parts.refusedReservation(turn.id) ?? { remaining: 0, requested: 0 };
      return new BudgetError(remaining / 1e6, requested / 1e6);
    }
    case "blocked":
      return new GateError(outcome.reason, "model-calls", "call-model");
    case "stopped":
      return new PipelineError(outcome.reason, null);
    case "no-provider":
    case "exhausted": {
      const provider = outcome.tries.at(-1)?.provider ?? "none";
      const detail = { provider, cascade: parts.door.cascade(), attempts: outcome.tries.length };
      return new LlmError(outcome.reason, detail);
    }
  }
}
