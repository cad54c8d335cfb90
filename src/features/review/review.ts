import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { runOnAgent } from "../../program/run-on-agent.ts";
import { sendQuestion } from "../../program/send-question.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { warnOfLostNotes } from "../../program/warn-of-folders.ts";
import { withAgent } from "../../program/with-agent.ts";
import { type ReviewStep, reviewFileName, reviewRequestOf } from "../../signal/review.ts";
import { countOf } from "../../text/count-of.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { reviewSpec } from "./command-specs.ts";

/** Lists and shows proposals; accepts, rejects and undoes them. */
export async function reviewCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, reviewSpec);
  const ids = [...new Set(words)];
  await warnOfLostNotes(makeStartContext(io));
  if (verb === "undo") return undoEach(io, ids, values.json);
  if (verb === "accept" || verb === "reject") {
    if ((values.all === undefined) === (ids.length === 0))
      throw usageError(`${verb} needs either the IDs of proposals or --all JOB.`, reviewSpec);
    return withAgent(io, "cli", async (agent) => {
      const all = values.all === undefined ? ids : await askForAll(io, agent, { ...values, verb });
      return all === null ? exitCodes.failed : decideEach(io, agent, { verb, ids: all, json: values.json });
    });
  }
  const request = reviewRequestOf(verb, words[0] ?? null);
  if (request === null) throw usageError(`${verb} needs the ID of a proposal.`, reviewSpec);
  return runOnAgent(io, { kind: "review", request }, values.json);
}

/** Accepts one proposal, as if its owner had typed that. */
export async function acceptProposal(io: Io, id: string, json: boolean): Promise<number> {
  return withAgent(io, "cli", (agent) => decideEach(io, agent, { verb: "accept", ids: [id], json }));
}

type Decisions = {
  readonly verb: "accept" | "reject";
  readonly ids: readonly string[];
  readonly json: boolean;
};

/** Decides on each proposal by itself. The exit code is that of the first failure, or else of the first waiting question. */
async function decideEach(io: Io, agent: Agent, { verb, ids, json }: Decisions): Promise<number> {
  const session = await agent.openSession({ name: null, latest: true, source: "cli", own: true });
  const codes: number[] = [];
  for (const id of ids) codes.push(await decide(io, agent, { session, step: { verb, id }, json }));
  const done = ids.filter((_, index) => codes[index] === exitCodes.done);
  if (ids.length > 1 && !json) {
    const left = ids.length - done.length;
    const back =
      done.length === 0
        ? ""
        : ` To take ${done.length === 1 ? "it" : "all of that"} back: passepartout review undo ${done.map(plainId).join(" ")}.`;
    io.out(
      `${countOf(done.length, "proposal")} ${decided[verb]}${left === 0 ? "" : `, ${left} not`}.${back}\n`,
    );
  }
  const others = codes.filter((code) => code !== exitCodes.done && code !== exitCodes.approvalPending);
  return others[0] ?? codes.find((code) => code !== exitCodes.done) ?? exitCodes.done;
}

const decided = { accept: "accepted", reject: "rejected" } as const;

type Decision = { readonly session: string; readonly step: ReviewStep; readonly json: boolean };

/** Sends the decision as the owner's own words, so that it is judged like any. The exit code says whether it was made. */
async function decide(
  io: Io,
  agent: Agent,
  { session, step: { verb, id }, json }: Decision,
): Promise<number> {
  const quiet = json ? { ...io, out: () => undefined } : io;
  const code = await sendQuestion(quiet, agent, {
    session,
    text: `/review ${verb} ${id}`,
    pasted: false,
    json: false,
    quiet: json,
    attachments: [],
    piped: "",
  });
  const data = await dataOf(agent, plainId(id));
  if (json && data !== null) io.out(`${JSON.stringify(data)}\n`);
  const isDone = data !== null && verb !== "undo" && data["state"] === decided[verb];
  return isDone || code !== exitCodes.done ? code : exitCodes.failed;
}

/** The IDs of a proposer's waiting proposals, with the revisions that were shown; null if none waits or the owner did not say yes. */
async function askForAll(
  io: Io,
  agent: Agent,
  {
    verb,
    all,
    yes,
  }: { readonly verb: Decisions["verb"]; readonly all?: string | undefined; readonly yes: boolean },
): Promise<readonly string[] | null> {
  const listed = await agent.runCommand({ kind: "review", request: { verb: "list" } }, "");
  const data: Json = listed.kind === "said" ? (listed.data ?? null) : null;
  const own = isJsonArray(data) ? data.filter(isJsonObject).filter(({ by }) => by === all) : [];
  if (own.length === 0) {
    io.err(`${all} has no waiting proposals in ${reviewFileName}. passepartout review lists all.\n`);
    return null;
  }
  const ids = own.map(({ id, revision }) => (typeof revision === "string" ? `${id}@${revision}` : `${id}`));
  if (yes) return ids;
  for (const { id } of own) {
    const shown = await agent.runCommand({ kind: "review", request: { verb: "show", id: `${id}` } }, "");
    if (shown.kind === "said") io.err(`${shown.text}\n\n`);
  }
  const answer = await confirm(
    io,
    `${verb === "accept" ? "Accept" : "Reject"} ${countOf(own.length, "proposal")}?`,
  );
  if (answer === true) return ids;
  io.err(answer === null ? "Nothing was done. To do it, add --yes.\n" : "Nothing was done.\n");
  return null;
}

/** Undoes decisions, each by itself. */
async function undoEach(io: Io, ids: readonly string[], json: boolean): Promise<number> {
  const codes: number[] = [];
  for (const id of ids)
    codes.push(await runOnAgent(io, { kind: "review", request: { verb: "undo", id } }, json));
  return codes.find((code) => code !== exitCodes.done) ?? exitCodes.done;
}

async function dataOf(agent: Agent, id: string): Promise<JsonObject | null> {
  const shown = await agent.runCommand({ kind: "review", request: { verb: "show", id } }, "");
  const data = shown.kind === "said" ? (shown.data ?? null) : null;
  return isJsonObject(data) ? data : null;
}

/** An ID without the revision that was shown. */
function plainId(id: string): string {
  return id.split("@").at(0) ?? "";
}
