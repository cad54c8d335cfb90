/** The closed hierarchy of faults. Each is raised by the stage that it names; what they tell a person is masked and cut by the thrower. */
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

/** A cap was reached. Dollars. */
export class BudgetError extends PipelineError {
  override readonly name = "BudgetError";
  readonly remaining: number;
  readonly requested: number;
  constructor(remaining: number, requested: number) {
    super(`Budget exhausted: $${remaining.toFixed(4)} remaining, $${requested.toFixed(4)} requested`, null);
    this.remaining = remaining;
    this.requested = requested;
  }
}

/** A message that does not read. Not a failure of the pipeline: it never entered. */
export class ProtocolError extends PassepartoutError {
  override readonly name = "ProtocolError";
  /** Cut to 200 characters and masked. */
  readonly rawMessage: string;
  constructor(message: string, rawMessage: string) {
    super(`Protocol error: ${message}`);
    this.rawMessage = rawMessage;
  }
}
