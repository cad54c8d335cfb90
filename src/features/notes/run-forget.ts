import { confirm } from "../../program/confirm.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { withAgent } from "../../program/with-agent.ts";
import { isJsonObject } from "../../text/json.ts";
import { memorySpec } from "./command-specs.ts";
import type { MemoryRequest } from "./memory-notes.ts";

/** The options of forgetting. */
export type ForgetOptions = {
  readonly "derived-from"?: string | undefined;
  readonly "dry-run": boolean;
  readonly undoable: boolean;
  readonly yes: boolean;
};

/** Forgets a note, a memory or a turn; or all that grew from a source, after it showed that and asked. */
export function runForget(request: MemoryRequest, options: ForgetOptions): Promise<number> {
  const source = options["derived-from"];
  if ((source === undefined) === (request.rest === ""))
    throw usageError(
      "memory forget needs either the ID of a note, a memory or a turn, or --derived-from SOURCE.",
      memorySpec,
    );
  return source === undefined ? forgetOne(request) : forgetDerived(request, source, options);
}

async function forgetOne({ io, rest: id, print }: MemoryRequest): Promise<number> {
  return withAgent(io, "cli", async (agent) => {
    const session = await agent.openSession({ name: null, latest: true, source: "cli", own: true });
    const reply = await agent.runCommand({ kind: "forget", id }, session);
    const text = reply.kind === "turn" ? "" : reply.text;
    print({ id, text }, text);
    return reply.kind === "said" && reply.code === "forgotten" ? exitCodes.done : exitCodes.failed;
  });
}

async function forgetDerived(
  { io, print }: MemoryRequest,
  source: string,
  { "dry-run": dryRun, undoable, yes }: ForgetOptions,
): Promise<number> {
  return withAgent(io, "cli", async (agent) => {
    const session = await agent.openSession({ name: null, latest: true, source: "cli", own: true });
    const look = await agent.runCommand({ kind: "derived", source }, session);
    const [text, data] = look.kind === "said" ? [look.text, look.data] : ["", undefined];
    const found = isJsonObject(data) ? data : {};
    const tell = (done: boolean, words: string): void => print({ done, ...found, text: words }, words);
    if (look.kind !== "said" || look.code !== "derived") {
      tell(false, look.kind === "turn" ? "" : look.text);
      return exitCodes.failed;
    }
    // The last line tells how to go on in a conversation.
    const plan = text.split("\n").slice(0, -1).join("\n");
    if (dryRun) {
      tell(false, plan);
      return exitCodes.done;
    }
    if (!yes) {
      io.err(`${plan}\n`);
      const end = undoable ? "/undo brings it back." : "It cannot be undone.";
      const answer = await confirm(io, `Take all of this back? ${end}`);
      if (answer !== true) {
        io.err(answer === null ? "Nothing was done. To do it, add --yes.\n" : "Nothing was done.\n");
        return exitCodes.failed;
      }
    }
    const seen = typeof found["digest"] === "string" ? found["digest"] : null;
    const reply = await agent.runCommand({ kind: "forget-derived", source, undoable, seen }, session);
    const done = reply.kind === "said" && reply.code === "forgotten";
    tell(done, reply.kind === "turn" ? "" : reply.text);
    return done ? exitCodes.done : exitCodes.failed;
  });
}
