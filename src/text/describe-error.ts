/**
 * What an error says, for a person. Where closing failed after something else had failed (`SuppressedError`), or several things failed at once
 * (`AggregateError`), it is what each of them says, the first failure first, each once.
 */
export function describeError(error: unknown): string {
  return [...new Set(causesOf(error))].join(" ");
}

function causesOf(error: unknown): readonly string[] {
  if (error instanceof SuppressedError) return [...causesOf(error.suppressed), ...causesOf(error.error)];
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.flatMap(causesOf);
  return [error instanceof Error && error.message !== "" ? error.message : String(error)];
}
