import { type OwnerCommand, plainCommands, recogniseCommand } from "../perceive/commands.ts";
import { notePlaceOf, notesRequestOf } from "../perceive/notes-request.ts";
import { orgTreeRequestOf } from "../perceive/org-tree-request.ts";
import { perceiveInput } from "../perceive/perceive-input.ts";
import { jobRequestOf } from "../signal/jobs/job-request.ts";
import { isDecision, reviewRequestOf } from "../signal/review.ts";
import { canonicalJson, type Json, type JsonObject } from "../text/json.ts";
import type { NearReply, SubmitResult } from "../turn/submit-result.ts";
import type { NearestTexts, VaultRequest } from "./agent/resources/agent.ts";
import { answerBuffer, answeringBuffer } from "./answer-buffer.ts";
import { approvalOf, namesNoOffer, noOffer } from "./approval-request.ts";
import { derivedOf, momentsOf, rewindOf } from "./going-back.ts";
import { executedOnce, repeatable } from "./idempotent-command.ts";
import { openSession } from "./open-session.ts";
import { type ClientContext, joinTurn, sendReply, tellPastChanged } from "./publish-events.ts";
import { resizeTerminals } from "./resize-terminals.ts";
import { subscribeTo } from "./subscribed-client.ts";

/** A request of a proved client. */
export type ClientRequest = {
  readonly id: string | null;
  readonly session: string;
  readonly action: string;
  readonly payload: JsonObject;
};

/** Runs a request of a proved client. */
export async function runClientRequest(context: ClientContext, request: ClientRequest): Promise<void> {
  const { agent, client, enqueue } = context;
  const { id, session, action, payload } = request;
  switch (action) {
    case "session":
      return openSession(context, request);
    case "follow":
      enqueue(() => joinTurn(context, { id, turn: textOrNull(payload["turn"]) ?? "" }));
      return;
    case "search":
    case "note":
    case "send":
      return say(context, request);
    case "nearest":
      return sendNearest(context, request);
    case "terminal-size":
      return resizeTerminals(context, request);
    case answeringBuffer:
      return answerBuffer(context, request);
  }
  if (action === "policy-changed") {
    await agent.recordPolicy();
    enqueue(() => sendReply({ agent, client }, id, policyRecorded));
    return;
  }
  if (vaultRequests.has(action)) {
    const result = await agent.changeVault(vaultRequestOf(action, textOrNull(payload["passphrase"]) ?? ""));
    enqueue(() => sendReply({ agent, client }, id, result));
    return;
  }
  if (action === answeringHidden) {
    const line = payload["answer"];
    const result = await agent.answerHidden(
      textOrNull(payload["prompt"]) ?? "",
      typeof line === "string" ? line : null,
    );
    enqueue(() => sendReply({ agent, client }, id, result));
    return;
  }
  const act = actionOf(context, request);
  if (act === null) {
    const text = `There is no request ${action}. Its name or its keys are wrong.`;
    client.connection.close({ code: "unknown-action", text });
    return;
  }
  const turn = await agent.findQuestion(textOrNull(payload["token"]) ?? "");
  if (turn !== null) subscribeTo(client, turn.session, turn.turn);
  const content = canonicalJson({ action, ...payload });
  const result = await (id === null || !executedOnce.has(action)
    ? act()
    : agent.runOnce({ session, client: id, content, repeatable: repeatable.has(action) }, act));
  enqueue(() => {
    tellPastChanged(context, session, result);
    return sendReply({ agent, client }, id, result);
  });
}

const policyRecorded: SubmitResult = {
  kind: "said",
  code: "policy-recorded",
  text: "What you allow was read again, and each change of it is in the journal.",
};

/** Requests about the owner's vault. They are kept nowhere: one of them holds its passphrase. */
export const vaultRequests: ReadonlySet<string> = new Set(["vault-unlock", "vault-lock", "vault-status"]);

/** The answer to a hidden prompt. It is kept nowhere, and done once since no two prompts have one id. */
export const answeringHidden = "answer-hidden";

function vaultRequestOf(action: string, passphrase: string): VaultRequest {
  if (action === "vault-unlock") return { change: "unlock", passphrase };
  return { change: action === "vault-lock" ? "lock" : "none" };
}

/** The texts that are nearest in meaning, for a client that searches by words itself. */
async function sendNearest(
  { agent, client, enqueue }: ClientContext,
  { id, payload }: ClientRequest,
): Promise<void> {
  const { query, limit } = payload;
  const { notes, said, problem } = await agent.findNearest(
    textOrNull(query) ?? "",
    typeof limit === "number" ? Math.max(0, Math.min(limit, mostNearest)) : fewNearest,
  );
  const near = [
    ...notes.map((text) => nearReplyOf("note", text)),
    ...said.map((text) => nearReplyOf("said", text)),
  ];
  enqueue(() =>
    sendReply({ agent, client }, id, { kind: "said", code: "nearest", text: problem ?? "", near }),
  );
}

/** Numbers of the wire are whole. */
function nearReplyOf(kind: NearReply["kind"], { id, deviations }: NearestTexts["notes"][number]): NearReply {
  return { kind, id, thousandths: Math.round(1000 * deviations) };
}

/** Texts of each kind that a client gets unless it says otherwise, and at most. */
const fewNearest = 20;
const mostNearest = 200;

/** A request that begins a turn is the same as the words that ask for it. */
async function say({ agent, client, enqueue }: ClientContext, request: ClientRequest): Promise<void> {
  const { id, session, action, payload } = request;
  const { connection } = client;
  const words = textOrNull(payload["text"]) ?? (textOrNull(payload["query"]) ?? "").replaceAll(/\s+/g, " ");
  const received = perceiveInput({
    id: agent.newId(),
    clientId: id,
    session,
    source: connection.source,
    person: "owner",
    at: agent.now(),
    sensor: "user-input",
    payload: { text: `/${action} ${words}` },
  });
  if (!received.ok) {
    connection.close({ code: received.code, text: received.message });
    return;
  }
  const isIt = recogniseCommand(received.signal)?.kind === action;
  const result = await (isIt ? agent.handleSignal(received.signal) : emptyReply);
  enqueue(() => sendReply({ agent, client }, id, result));
}

const emptyReply: SubmitResult = {
  kind: "refused",
  code: "misused-command",
  text: "This request has no text. Nothing was done.",
};
const stoppedReply: SubmitResult = { kind: "said", code: "stopped", text: "Stopped." };
const idleReply: SubmitResult = { kind: "said", code: "idle", text: "Nothing was running in this session." };

/** The action of a request; null where no request has that name. */
function actionOf({ agent }: ClientContext, request: ClientRequest): (() => Promise<SubmitResult>) | null {
  const { id, session, action, payload } = request;
  if (action === "snapshot") {
    return async () => {
      const snapshot = await agent.takeSnapshot(textOrNull(payload["note"]) ?? "by hand");
      const text = `Snapshot ${snapshot}. /rollback ${snapshot} goes back to it.`;
      return { kind: "said", code: "snapshot", text, snapshot };
    };
  }
  if (action === "stop" && payload["keep-questions"] === true) {
    return async () => ((await agent.stop(session)) ? stoppedReply : idleReply);
  }
  if (action === "approve" && namesNoOffer(payload)) return async () => noOffer;
  const command = commandOf(action, payload);
  return command === null ? null : () => agent.runCommand(command, session, id);
}

const plainRequests: readonly OwnerCommand[] = [
  ...plainCommands,
  { kind: "questions" },
  { kind: "overview" },
  { kind: "sessions" },
];

function commandOf(action: string, payload: JsonObject): OwnerCommand | null {
  const text = (key: string): string => textOrNull(payload[key]) ?? "";
  switch (action) {
    case "approve":
      return approvalOf(payload);
    case "always":
      return { kind: action, token: text("token"), keep: payload["keep"] === true };
    case "deny":
      return { kind: action, token: text("token"), reason: textOrNull(payload["reason"]) };
    case "trust":
    case "forget":
      return { kind: action, id: text("id") };
    case "public":
      return text("what") === "" ? null : { kind: action, what: text("what") };
    case "attach":
      return text("path") === "" ? null : { kind: action, path: text("path") };
    case "take-back":
      return { kind: action, turn: text("turn") };
    case "model":
      return { kind: action, name: textOrNull(payload["name"]) };
    case "budget":
      return { kind: action, more: null };
    case "trust-folder":
      return { kind: action, on: payload["on"] !== false, isShown: payload["shown"] === true };
    case "plan":
      return { kind: action, change: "none" };
    case "titles":
    case "org-ast":
    case "notes":
    case "focus":
      return notesCommandOf(action, payload);
    case "rollback":
      return { kind: action, id: textOrNull(payload["id"]) };
    case "inspect-skill":
      return { kind: action, verb: payload["verb"] === "test" ? "test" : "show", name: text("name") };
    case "draft-skill":
      return { kind: action, name: text("name"), sentence: text("sentence") };
    case "jobs":
    case "review":
      return listedOf(action, payload);
    case "fork-session":
      return { kind: action, id: textOrNull(payload["id"]) };
    case "delete-session":
      return text("id") === "" ? null : { kind: action, id: text("id") };
    case "moments":
      return momentsOf(payload);
    case "rewind":
      return rewindOf(payload);
    case "derived":
    case "forget-derived":
      return derivedOf(action, payload);
    case "rename-session":
      return { kind: action, id: textOrNull(payload["id"]), name: text("name") };
    case "history":
      return historyOf(payload);
    default:
      return plainRequests.find(({ kind }) => kind === action) ?? null;
  }
}

function notesCommandOf(
  action: "titles" | "org-ast" | "notes" | "focus",
  payload: JsonObject,
): OwnerCommand | null {
  switch (action) {
    case "titles":
      return { kind: action, words: textOrNull(payload["query"]) ?? "" };
    case "org-ast":
      return orgTreeRequestOf(payload);
    case "notes":
      return notesRequestOf(payload);
    case "focus":
      return focusOf(payload);
  }
}

/** A note by its id, what stands at a place, or nothing. Without any of these the focus is shown. */
function focusOf(payload: JsonObject): OwnerCommand {
  const place = notePlaceOf(payload);
  if (place !== null || payload["off"] === true) return { kind: "focus-at", place };
  return { kind: "focus", id: textOrNull(payload["id"]) };
}

function historyOf({ id, limit }: JsonObject): OwnerCommand {
  return {
    kind: "history",
    id: textOrNull(id),
    limit: typeof limit === "number" && limit > 0 ? limit : null,
  };
}

/** Accepting and rejecting are turns of their own, and no requests. */
function listedOf(kind: "jobs" | "review", { verb, name, id }: JsonObject): OwnerCommand | null {
  const what = textOrNull(verb) ?? "list";
  if (kind === "jobs") {
    const request = jobRequestOf(what, textOrNull(name));
    return request === null ? null : { kind, request };
  }
  const request = reviewRequestOf(what, textOrNull(id));
  return request === null || isDecision(request) ? null : { kind, request };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
