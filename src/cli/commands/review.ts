import { isJsonObject } from "../../signal/json.ts";
import { isDecision, type ReviewRequest, reviewRequestOf } from "../../signal/review.ts";
import { reviewSpec } from "../table/reading-notes.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseVerb } from "./options.ts";
import { runOnAgent } from "./run-on-agent.ts";
import { sendQuestion } from "./send-question.ts";
import { withAgent } from "./with-agent.ts";

/** Lists what was proposed in the background and shows it; makes or drops a change, and takes it back. */
export async function reviewCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, reviewSpec);
  const request = reviewRequestOf(verb, words[0] ?? null);
  if (request === null) throw usageError(`${verb} needs the ID of a proposal.`, reviewSpec);
  return isDecision(request)
    ? decideProposal(io, request, values.json)
    : runOnAgent(io, { kind: "review", request }, values.json);
}

const decided = {
  accept: "accepted",
  reject: "rejected",
  list: "",
  show: "",
  undo: "",
  archive: "",
} as const;

/** Says the decision as the owner's own words, so that it is judged, asked about and told like any. The exit code says whether it was made. */
export async function decideProposal(io: Io, request: ReviewRequest, json: boolean): Promise<number> {
  if (request.verb === "list") return exitCodes.usage;
  const { verb, id } = request;
  return withAgent(io, "cli", async (agent) => {
    const session = await agent.openSession({ name: null, latest: true, source: "cli", own: true });
    const quiet = json ? { ...io, out: () => undefined } : io;
    const code = await sendQuestion(quiet, agent, {
      session,
      text: `/review ${verb} ${id}`,
      pasted: false,
      json: false,
      quiet: json,
      attachments: [],
    });
    const shown = await agent.runCommand({ kind: "review", request: { verb: "show", id } }, "");
    const data = shown.kind === "said" ? (shown.data ?? null) : null;
    const isDone = data !== null && isJsonObject(data) && data["state"] === decided[verb];
    if (json && data !== null) io.out(`${JSON.stringify(data)}\n`);
    if (isDone || code !== exitCodes.done) return code;
    return exitCodes.failed;
  });
}
