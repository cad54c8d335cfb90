import type { Message } from "../signal/message.ts";
import type { ToolDeclaration } from "../signal/tool.ts";
import { assemblePrompt, type Mandate, type Prompt } from "./prompt/assemble-prompt.ts";
import type { Place } from "./prompt/instructions.ts";
import type { LiveState, TaughtText } from "./prompt/live-state.ts";

/** Tokens of a context window, and of the answer within it. */
export type PromptRoom = { readonly contextWindow: number; readonly maxOutputTokens: number };

/** What every prompt of an agent has in common. */
export type PromptSettings = {
  readonly version: string;
  /** The assistant's name, the owner's words on who it is, and the standing mandates. */
  readonly identity: {
    readonly assistant: string;
    readonly text: Promise<string>;
    readonly mandates: readonly Mandate[];
  };
  /** How many gates judge. */
  readonly gates: number;
  /** What fits into the smallest window of the models that may be asked. */
  readonly room: () => Promise<PromptRoom>;
  /** The providers that are set up, and the smallest of their windows: what the prompt says of itself, whichever of them are asked. */
  readonly cascade: readonly string[];
  readonly contextWindow: () => Promise<number>;
};

/**
 * A prompt, and why earlier messages of its session are not in it, with what to do; null where all of them
 * are.
 */
export type PreparedPrompt = Prompt & { readonly pastLeftOut: string | null };

/** That earlier messages are left out of a request, and what to do. */
const leftOutWords = {
  "no-room":
    "The model's context has no room for all that was said here: earlier messages are left out from now on. /compact makes room for more of them, and so does a model with a larger context.",
  bounded:
    "More was said here than a request holds of the past: earlier messages are left out from now on. /compact makes room for more of them.",
} as const;

/** Messages of finished turns, and whether there are older ones. */
export type History = { readonly messages: readonly Message[]; readonly hasOlder: boolean };

/** What one prompt is about. `history` gives the messages before that fit. */
export type PromptSubject = {
  readonly tools: readonly ToolDeclaration[];
  readonly messages: readonly Message[];
  readonly place: Place;
  /** Null where the model knows it from the messages. */
  readonly live: LiveState | null;
  /** What installed skills have to say now. */
  readonly installed: readonly TaughtText[];
  readonly history: (limit: HistoryRoom) => Promise<History>;
};

/**
 * How much of the turns before there is room for: tokens, and whether also for what the program told in
 * them.
 */
export type HistoryRoom = { readonly tokens: number; readonly told: boolean };

/**
 * Tokens that the declarations of the tools take, and some for the provider's own frame; in a small window a
 * quarter of it and a bit.
 */
const reservedTokens = 2000;
const frameTokens = 200;
/** Tokens that a prompt gets even in a small window; in the smallest it gets half of it. */
const minPromptTokens = 1500;
/** Tokens of earlier turns that a prompt holds at most, also in a large window: each step of each turn pays for them. */
export const mostHistoryTokens = 64_000;

/** Tokens of a prompt below which what was told in earlier turns has to make room for what was said. */
const leastForTold = 12_000;
/** Tokens below which a history is not worth asking for. */
const leastHistoryTokens = 100;

/**
 * Assembles the prompt of a turn within the room that the cascade has. A history that does not fit is asked for anew with less room, always by the same steps:
 * so the prompts of turns whose words and notes differ in length begin alike.
 */
export async function preparePrompt(
  { version, identity, gates, room, cascade, contextWindow: statedWindow }: PromptSettings,
  { tools, messages, place, live, installed, history }: PromptSubject,
): Promise<PreparedPrompt> {
  const { contextWindow, maxOutputTokens } = await room();
  const reserved = Math.min(reservedTokens, contextWindow / 4 + frameTokens);
  const least = Math.min(minPromptTokens, contextWindow / 2);
  const budget = Math.floor(Math.max(least, contextWindow - maxOutputTokens - reserved));
  const parts = {
    identity: { ...identity, text: await identity.text },
    place,
    config: { version, providers: cascade, contextWindow: await statedWindow(), gates },
    tools,
    live,
    installed,
    turn: messages,
    budget,
    room: contextWindow,
  };
  let tokens = Math.min(mostHistoryTokens, Math.floor(budget / 2));
  for (;;) {
    const past = await history({ tokens, told: budget >= leastForTold });
    const prompt = assemblePrompt({ ...parts, history: past.messages, hasOlderHistory: past.hasOlder });
    if (!prompt.leavesOutHistory || tokens < leastHistoryTokens) {
      const why = leftOutWords[tokens < mostHistoryTokens ? "no-room" : "bounded"];
      return { ...prompt, pastLeftOut: past.hasOlder || prompt.leavesOutHistory ? why : null };
    }
    tokens = Math.floor(tokens / Math.SQRT2);
  }
}
