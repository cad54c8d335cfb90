import { cleanText } from "./clean-text.ts";

/** A failure of a server, in words that begin with what the server did: `it ended (1)`. */
export class ServerFailure extends Error {}

/** What a person can use of a failure: one clean line. */
export function describeFailure(error: unknown): string {
  if (error instanceof ServerFailure) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (/timed? ?out|timeout/i.test(message)) return "it did not answer in time";
  return `it failed: ${cleanText(message, 300)}`;
}
