/** A program on a terminal that hides what is typed, so that only the owner may answer it. */
export type HiddenPrompt = {
  readonly id: string;
  readonly session: string;
  readonly turn: string;
  readonly program: string;
  /** What the program says where it asks: anybody's words. */
  readonly says: string;
};

/**
 * How the owner answered. `typed`: with a line, which whoever types it wipes, and then tells why nothing was typed, or null where it was.
 * `nobody`: no client was there that could ask them, or the last one left; `over`: the program asks no longer.
 */
export type HiddenAnswer =
  | { readonly kind: "typed"; readonly line: Uint8Array; readonly told: (problem: string | null) => void }
  | { readonly kind: "refused" | "nobody" | "over" };

/** Asks the owner. Resolves as `over` where the signal comes first. */
export type AskHidden = (prompt: Omit<HiddenPrompt, "id">, over: AbortSignal) => Promise<HiddenAnswer>;

/** A client that can ask the owner. `open` may be told a prompt that it shows already. */
export type HiddenAsker = {
  readonly sees: (prompt: HiddenPrompt) => boolean;
  readonly open: (prompt: HiddenPrompt) => void;
  readonly close: (prompt: HiddenPrompt) => void;
};

/** The longest answer, in characters. */
const longestAnswer = 1_000;

/** Why a line cannot be the answer to a prompt; null where it can. */
export function answerProblem(line: string): string | null {
  if (line.length > longestAnswer)
    return `An answer has at most ${longestAnswer} characters. Nothing was typed.`;
  return /\p{Cc}/u.test(line) ? "An answer is one line without control characters. Nothing was typed." : null;
}

/** What a person reads above the field in which they answer. The program's own words stand behind a bar, so that they cannot pass for this program's. */
export function hiddenPromptRows({
  program,
  says,
}: Pick<HiddenPrompt, "program" | "says">): readonly string[] {
  return [
    `${program} asks for what nobody is to see. Its own words, not Passepartout's:`,
    ...says.split("\n").map((row) => `  │ ${row}`),
    `Your answer goes to ${program} alone: no model sees it, and nothing of it is kept.`,
  ];
}
