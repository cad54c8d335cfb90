import type { ChosenModel } from "../signal/chosen-model.ts";
import {
  BudgetError,
  GateError,
  LlmError,
  type PassepartoutError,
  PipelineError,
} from "../signal/failure.ts";
import { callsUsedUp } from "../signal/jobs/call-caps.ts";
import type { Turn } from "../signal/turn.ts";
import { heldBackFailure, heldForAnother, type ThinkFailure } from "./held-back.ts";
import type { ModelDoor } from "./model/call-model.ts";
import type { ModelOutcome } from "./model/model-call.ts";

type Asked = readonly ChosenModel[] | null;

type FailureParts = {
  readonly door: Pick<ModelDoor, "cascade">;
  readonly refusedReservation: (
    turn: string,
  ) => { readonly remaining: number; readonly requested: number; readonly advice?: string } | null;
};

/**
 * Why a turn got no answer; the question to its owner where another provider might give one, but may not have
 * their words.
 */
export function failureOf(
  parts: FailureParts,
  about: { readonly turn: Turn; readonly asked: Asked },
  outcome: Extract<ModelOutcome, { readonly ok: false }>,
): ThinkFailure {
  const held = heldForAnother(outcome);
  if (held !== null) return heldBackFailure(held);
  return { kind: "failure", code: outcome.code, error: errorOf(parts, about, outcome) };
}

function errorOf(
  parts: FailureParts,
  { turn, asked }: { readonly turn: Turn; readonly asked: Asked },
  outcome: Extract<ModelOutcome, { readonly ok: false }>,
): PassepartoutError {
  switch (outcome.code) {
    case "over-budget": {
      const refused = parts.refusedReservation(turn.id);
      // Nothing was to be reserved, since the price is not known: more budget would not help.
      if (refused === null) return new PipelineError(outcome.reason, null);
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

/** The providers that a turn may ask. */
function askedOf({ door }: FailureParts, asked: Asked): readonly string[] {
  return asked === null ? door.cascade : [...new Set(asked.map(({ provider }) => provider))];
}
