/** The root of the closed hierarchy of errors. The code that throws one masks and shortens the text for a person. */
export class PassepartoutError extends Error {
  override readonly name: string = "PassepartoutError";
}

/** Any failure between perceiving and answering. */
export class PipelineError extends PassepartoutError {
  override readonly name: string = "PipelineError";
  readonly signalId: string | null;
  constructor(message: string, signalId: string | null, options?: ErrorOptions) {
    super(message, options);
    this.signalId = signalId;
  }
}

/** No provider could answer. */
export class LlmError extends PipelineError {
  override readonly name = "LlmError";
  readonly provider: string;
  readonly cascade: readonly string[];
  readonly attempts: number;
  constructor(
    message: string,
    detail: { readonly provider: string; readonly cascade: readonly string[]; readonly attempts: number },
    options?: ErrorOptions,
  ) {
    super(`LLM error (${detail.provider}): ${message}`, null, options);
    this.provider = detail.provider;
    this.cascade = detail.cascade;
    this.attempts = detail.attempts;
  }
}

/** A gate blocked an action. */
export class GateError extends PipelineError {
  override readonly name = "GateError";
  readonly gate: string;
  /** Target and tool of the rejected action, never its contents. */
  readonly action: string;
  constructor(message: string, gate: string, action: string) {
    super(`Gate ${gate} blocked action: ${message}`, null);
    this.gate = gate;
    this.action = action;
  }
}

/** A spending limit was reached. Sums in dollars. */
export class BudgetError extends PipelineError {
  override readonly name = "BudgetError";
  readonly remaining: number;
  readonly requested: number;
  /** What the owner can do about it; null where more may be spent by asking for it. */
  readonly advice: string | null;
  constructor(remaining: number, requested: number, advice: string | null = null) {
    super(`Budget exhausted: $${remaining.toFixed(4)} remaining, $${requested.toFixed(4)} requested`, null);
    this.remaining = remaining;
    this.requested = requested;
    this.advice = advice;
  }
}
