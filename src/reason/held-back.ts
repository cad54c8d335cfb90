import { type PassepartoutError, PipelineError } from "../signal/failure.ts";
import type { Turn } from "../signal/turn.ts";
import type { ModelCallRequest, ModelOutcome } from "./model/model-call.ts";

/** The question to an owner whose words were held back, and the provider that would get them. */
export type HeldBack = { readonly question: string; readonly provider: string };

/** Why a turn got no answer. */
export type ThinkFailure = {
  readonly kind: "failure";
  readonly code: string;
  readonly error: PassepartoutError;
  /** The provider for which the words of the turn were held back. */
  readonly heldFor?: string;
};

/** A turn that ends since its words were held back. */
export function heldBackFailure({ question, provider }: HeldBack): ThinkFailure {
  const error = new PipelineError(question, null);
  return { kind: "failure", code: "private-words", error, heldFor: provider };
}

/**
 * What is asked where the provider gave no answer to which the owner sent the words of the turn, and another
 * one might.
 */
export function heldForAnother({
  code,
  reason,
  tries,
}: Extract<ModelOutcome, { readonly ok: false }>): HeldBack | null {
  const other = tries.find((tried) => tried.code === "for-another");
  if (other === undefined || code !== "exhausted") return null;
  const { provider } = other;
  const ways = `Two ways on: /send sends your message as it is to ${provider}, this once; or choose a local model with /model.`;
  return { question: `${reason}\n${ways}`, provider };
}

/** The provider to which the owner sent the words of the turn as they are. */
export function wordsFor({ messages: [words] }: Turn): Pick<ModelCallRequest, "wordsFor"> {
  return words?.role === "user" && words.asIsFor !== undefined ? { wordsFor: words.asIsFor } : {};
}
