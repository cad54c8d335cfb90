import { cleanText } from "./clean-text.ts";

/** A failure of a server, in words that begin with what the server did and have no full stop at their end: `it ended (1)`. */
export class ServerFailure extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason.replace(/\.$/, ""), options);
  }
}

/** What a person can use of a failure of this server: one clean line. `ended` says why it ended, if it did. */
export function describeFailure(error: unknown, server: string, ended: string | null = null): string {
  const own = failureIn(error)?.message ?? ended;
  if (own !== null) return own;
  const rights = rightsIn(error);
  if (rights !== null) return `it wants further rights. Run: passepartout mcp login ${server}${rights}`;
  const message = error instanceof Error ? error.message : String(error);
  const status = statusOf(error);
  if (status !== null) return describeStatus(status, message);
  if (error instanceof Error && "code" in error && /^(?:ENOTFOUND|EAI_AGAIN)$/.test(String(error.code)))
    return "its host cannot be found. Look whether its url is right and this machine is online";
  if (error instanceof RangeError) return "it sent a message that nests too deep";
  if (/timed? ?out|timeout/i.test(message)) return "it did not answer in time";
  return `it failed: ${cleanText(message, 300)}`;
}

/** The status of HTTP that a failure comes from; null for another failure. */
export function statusOf(error: unknown): number | null {
  const status = error instanceof Error && "status" in error ? error.status : null;
  return typeof status === "number" ? status : null;
}

function describeStatus(status: number, message: string): string {
  const said = cleanText(message.replace(/^Error POSTing to endpoint: */, ""), 200);
  const page = /^<|^$/.test(said) ? "" : `: ${said}`;
  if (status === 401) return "it refused the key of its entry (401). Correct it, or remove it and sign in";
  if (status === 404) return `it answered 404${page}. Look whether its url is right`;
  return `it answered ${status}${page}`;
}

/** Our own failure, also where the library wrapped it. */
function failureIn(error: unknown): ServerFailure | null {
  if (error instanceof ServerFailure) return error;
  return error instanceof Error && error.cause !== undefined ? failureIn(error.cause) : null;
}

/** The rights that a server wants, as the option of a command; empty where they are none that a person could copy, null where it wants none. */
function rightsIn(error: unknown): string | null {
  if (!(error instanceof Error) || !("requiredScope" in error)) return null;
  const scope = typeof error.requiredScope === "string" ? error.requiredScope : "";
  return /^[A-Za-z0-9_.:/+-]+(?: [A-Za-z0-9_.:/+-]+)*$/.test(scope) && scope.length <= 300
    ? ` --scope "${scope}"`
    : "";
}
