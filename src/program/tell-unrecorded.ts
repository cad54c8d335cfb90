import type { Io } from "../kernel/io.ts";
import { escapeForTerminal } from "../text/visible.ts";
import { recordPolicyChange } from "./record-policy-change.ts";
import { makeStartContext } from "./start-context.ts";

/** Journals a change that a command made in what is allowed, and tells the person where that failed. */
export async function tellUnrecorded(io: Io): Promise<void> {
  const problem = await recordPolicyChange(makeStartContext(io));
  if (problem !== null) io.err(escapeForTerminal(`${problem}\n`));
}
