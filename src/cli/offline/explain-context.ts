import { makeContextSource } from "../../daemon/agent/notes-context.ts";
import { assembleContext, type Context } from "../../reason/prompt/assemble-context.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { openNotesReader } from "./open-notes-reader.ts";

/** The words that a person would say, and the note that would be in focus. */
export type ContextQuestion = { readonly words: string; readonly focus: string | null };

/** The notes that a prompt with these words would contain, or that there is no note to focus on. */
export type ContextExplanation =
  | {
      readonly kind: "context";
      readonly context: Context;
      /** Tokens that the context has, and may have. */
      readonly tokens: number;
      readonly budget: number;
      /** The path of the notes folder if it does not exist; else null. */
      readonly missing: string | null;
    }
  | { readonly kind: "no-focus" };

/** Explains which notes the model would see. */
export async function explainContext(
  start: StartContext,
  { words, focus }: ContextQuestion,
): Promise<ContextExplanation> {
  const { config } = loadPolicy(start.environment);
  await using reading = await openNotesReader(start, { progress: () => undefined });
  const { notes, state } = reading;
  const source = makeContextSource({
    notes,
    own: async (id) => (await state?.objects.get("own", id)) ?? null,
  });
  if (focus !== null && (await source.node(focus)) === null) return { kind: "no-focus" };
  const limits = { threshold: config.similarityThreshold, budget: config.contextBudget };
  const context = await assembleContext(source, { words, focus, ...limits });
  const tokens = context.pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  const { present, folder } = notes.status();
  return { kind: "context", context, tokens, budget: limits.budget, missing: present ? null : folder };
}
