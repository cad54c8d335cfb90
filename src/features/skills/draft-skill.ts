import type { Agent } from "../../daemon/agent/resources/agent.ts";
import { cutOffDraft } from "../../daemon/agent/skills/drafting-job.ts";
import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { showProgress } from "../../program/show-progress.ts";
import { withAgent } from "../../program/with-agent.ts";
import { describeSkill, describeTests } from "../../shown/describe-skill.ts";
import { describeError } from "../../text/describe-error.ts";
import { quoteLines } from "../../text/escape-invisible.ts";
import { isJsonObject, type Json } from "../../text/json.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { type CheckedFile, draftingSession } from "./skill-drafts.ts";
import type { SkillDesk } from "./teach-skills.ts";

/** What `skill new` was given; the sentence is empty where there is none. */
type NewSkill = { readonly name: string; readonly sentence: string; readonly json: boolean };

type Reply = Awaited<ReturnType<Agent["runCommand"]>>;

/** Shows a draft and asks for a yes to it; gives the exit code. */
type OfferDraft = (draft: CheckedFile) => Promise<number>;

/** Milliseconds between two changes of what is shown while a model drafts. */
const between = 1000;

/** Writes a first file; or has a model draft a skill from a sentence, and offers the draft. With `json` it prints the draft and asks nothing. */
export async function newSkill(
  io: Io,
  desk: SkillDesk,
  { name, sentence, json, offer }: NewSkill & { readonly offer: OfferDraft },
): Promise<number> {
  const print = (data: Json, text: string) =>
    io.out(escapeForTerminal(`${json ? JSON.stringify(data) : text}\n`));
  if (sentence === "") {
    const path = await desk.create(name);
    const text = `Wrote ${path}. Edit it, then: passepartout skill test ${name}`;
    print({ name, state: "first file", path, problem: null }, text);
    return exitCodes.done;
  }
  const reply = await requestDraft(io, { name, sentence });
  const data = reply.kind === "said" && isJsonObject(reply.data) ? reply.data : null;
  const text = reply.kind === "turn" ? "" : reply.code === "unknown-outcome" ? cutOffDraft(name) : reply.text;
  if (data?.["state"] === "first file") {
    print(data, text);
    return exitCodes.done;
  }
  const draft = data === null ? null : await desk.draft(name);
  if (data === null || draft === null) {
    if (json) print({ name, state: "none", path: null, problem: text }, "");
    else io.err(escapeForTerminal(`${text}\n`));
    return codes.get(reply.kind === "turn" ? "" : reply.code) ?? exitCodes.failed;
  }
  const isRefused = data["state"] !== "draft";
  if (json) {
    const { head, tests } = draft.checked;
    const declared = draft.checked.ok ? draft.checked.declared : null;
    io.out(escapeForTerminal(`${JSON.stringify({ ...data, text: draft.text, head, declared, tests })}\n`));
    return isRefused ? exitCodes.failed : exitCodes.done;
  }
  if (isRefused) {
    io.err(escapeForTerminal(`${text}\n`));
    return exitCodes.failed;
  }
  const code = await offer(draft);
  if (code !== exitCodes.done)
    io.err(
      `The draft stays in ${escapeForTerminal(String(data["path"]))} and is not in force. To look at it again: passepartout skill enable ${name}\n`,
    );
  return code;
}

/** Exit codes for what kept a model from answering. */
const codes: ReadonlyMap<string, number> = new Map([
  ["over-budget", exitCodes.overBudget],
  ["no-provider", exitCodes.noProvider],
  ["exhausted", exitCodes.noProvider],
]);

/** Has the agent draft, and shows how long that takes. Ctrl-C stops the model. */
async function requestDraft(io: Io, wanted: Pick<NewSkill, "name" | "sentence">): Promise<Reply> {
  const held: { reply: Reply } = {
    reply: { kind: "refused", code: "not-done", text: "Nothing was drafted." },
  };
  await withAgent(io, "cli", async (agent) => {
    const session = await agent.openSession({ name: null, latest: true, source: "cli", own: true });
    const progress = showProgress(io);
    const begun = Date.now();
    const timer = setInterval(
      () =>
        progress.update(
          `A model drafts ${wanted.name}, seconds`,
          Math.round((Date.now() - begun) / 1000),
          null,
        ),
      between,
    );
    const off = io.onInterrupt(() => {
      stopDrafting(agent).catch((error: unknown) => io.err(`passepartout: ${describeError(error)}\n`));
    });
    try {
      held.reply = await agent.runCommand({ kind: "draft-skill", ...wanted }, session);
    } catch (error) {
      progress.end();
      io.err(escapeForTerminal(`${cutOffDraft(wanted.name)}\n`));
      throw error;
    } finally {
      off();
      clearInterval(timer);
      progress.end();
    }
    return exitCodes.done;
  });
  return held.reply;
}

async function stopDrafting(agent: Agent): Promise<void> {
  const session = await agent.openSession({ name: draftingSession, latest: false, source: "cli", own: true });
  await agent.stop(session);
}

/** All of a draft, what it may do and how its tests went. Each line of the file stands behind a margin, so that none can pass for a line of the program. */
export function describeDraft({ text, checked }: CheckedFile): readonly string[] {
  return [
    ...quoteLines(text),
    ...(checked.head === null ? [] : describeSkill(checked.head, checked.ok ? checked.declared : null)),
    ...describeTests(checked.tests),
  ];
}
