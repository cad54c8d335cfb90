import type { State } from "../../memory/state/state.ts";
import { pathOf } from "../../shown/action-text.ts";
import type { Call } from "../../signal/action.ts";
import { diffFile, type FileDiff } from "../../signal/file-diff.ts";
import { isNoMoreSecretThan } from "../../signal/label.ts";
import { maskAction, maskValue } from "../../signal/mask-values.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { isFinal, type Turn } from "../../signal/turn.ts";
import { cutEnd } from "../../text/cut-middle.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

/** What telling past calls needs. */
export type PastStepsParts = {
  readonly state: Pick<State, "changes">;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
  /** Characters that are left for the calls of one history. */
  readonly room: { characters: number };
};

/** Calls of a turn that are told. */
const mostSteps = 40;
/** Characters of each text of a call, and of its result. */
const longestText = 2_000;
/** Characters between the first change of a file and the last, beyond which its lines are not compared. */
const mostCompared = 200_000;

/** The tools that change the file that they name. */
const changing: ReadonlySet<string> = new Set(["write-file", "edit-file", "edit-code", "edit-notes"]);

/** What is known of a call of a past turn. */
type PastCall = {
  readonly call: Call;
  /** What the agent said before it. */
  readonly said: string;
  readonly result: ToolResult | null;
};

/**
 * What a turn did, the first call first: each with what was said before it, its action, what came of it,
 * what it changed in files as far as that is kept, and whether that was undone since. Long texts are cut,
 * and where there is no room left only tools, outcomes and undos are told.
 */
export async function pastSteps(
  parts: PastStepsParts,
  turn: Turn,
): Promise<{ readonly steps: readonly JsonObject[]; readonly left: number }> {
  // Of a turn that goes on, what is still to be done is told by its question or its outcome.
  const calls = callsOf(turn.messages).filter(({ result }) => result !== null || isFinal(turn.state));
  const told = calls.slice(-mostSteps);
  const maker = turn.copyOf ?? turn.id;
  const changes = new ChangedFiles(parts, await parts.state.changes.ofTurn(maker));
  const undone = await findUndone(parts.state, maker, calls);
  const steps: JsonObject[] = [];
  for (const past of told) {
    const named = { ...outlineOf(past), ...undone(past) };
    const step = parts.room.characters > 0 ? { ...named, ...(await detailsOf(parts, past, changes)) } : named;
    parts.room.characters -= JSON.stringify(step).length;
    steps.push(step);
  }
  return { steps, left: calls.length - told.length };
}

/** The calls of a turn that runs that have no outcome yet, as a client is told of them. */
export function openCalls(filter: (text: string) => string, { pending }: Turn): readonly JsonObject[] {
  const short = (text: string): string => cut(filter(text));
  return pending.slice(0, mostSteps).map((call) => ({ call: call.id, action: shownAction(call, short) }));
}

function shownAction({ action }: Call, short: (text: string) => string): JsonObject {
  const { target, payload, explanation } = maskAction(action, short);
  return { target, payload, explanation };
}

/** A result belongs to the call of its id in the answer before it: a model may use an id again. */
function callsOf(messages: readonly Message[]): readonly PastCall[] {
  const calls: PastCall[] = [];
  let begin = 0;
  for (const message of messages) {
    if (message.role === "assistant") {
      begin = calls.length;
      const said = message.native ? message.text : "";
      for (const [index, call] of message.calls.entries())
        calls.push({ call, said: index === 0 ? said : "", result: null });
    }
    if (message.role !== "result") continue;
    const at = calls.findIndex(({ call }, index) => index >= begin && call.id === message.callId);
    const found = calls[at];
    if (found !== undefined) calls[at] = { ...found, result: message.result };
  }
  return calls;
}

/** Says of each call whether what it changed was undone since, all of it or a part. */
async function findUndone(
  { changes }: PastStepsParts["state"],
  turn: string,
  calls: readonly PastCall[],
): Promise<(past: PastCall) => JsonObject> {
  if (calls.every(({ result }) => result?.changes === undefined)) return () => ({});
  const numbers = (some: readonly Stored[]) => new Set(some.map(({ number }) => number));
  const undone = numbers(await changes.undoneOf(turn));
  const standing = numbers((await changes.withSubTasks(turn)).filter((change) => !change.undone));
  return ({ result }) => {
    const made = result?.changes ?? [];
    if (!made.some((number) => undone.has(number))) return {};
    return { undone: made.some((number) => standing.has(number)) ? "in-part" : "whole" };
  };
}

function outlineOf({ call, result }: PastCall): JsonObject {
  const { tool } = call.action.payload;
  const name = result?.tool ?? (typeof tool === "string" ? tool : call.action.target);
  if (result === null) return { call: call.id, tool: name, status: "not-done" };
  const { outcome } = result;
  return {
    call: call.id,
    tool: name,
    status: outcome.status,
    ...(outcome.status === "error" ? { code: outcome.code, gates: outcome.gates ?? [] } : {}),
  };
}

async function detailsOf(
  { filter }: PastStepsParts,
  { call, said, result }: PastCall,
  changes: ChangedFiles,
): Promise<JsonObject> {
  const short = (text: string): string => cut(filter(text));
  const isChange = result?.outcome.status === "success" && changing.has(result.tool);
  const diff = isChange ? await changes.next(fileOf(call)) : null;
  return {
    ...(said.trim() === "" ? {} : { said: short(said) }),
    action: shownAction(call, short),
    ...(result === null ? {} : { result: shownResult(result, short) }),
    ...(result?.changed === undefined ? {} : { changed: result.changed }),
    ...(diff === null ? {} : { changes: [{ ...diff, path: filter(diff.path), diff: filter(diff.diff) }] }),
  };
}

/** The file that a call names. */
function fileOf({ action }: Call): string | null {
  const { args } = action.payload;
  const file = args !== undefined && isJsonObject(args) ? args["file"] : undefined;
  return pathOf(action) ?? (typeof file === "string" ? file : null);
}

/** What is secret is told to nobody once it was read. */
function shownResult({ outcome, label }: ToolResult, short: (text: string) => string): Json {
  if (!isNoMoreSecretThan(label, "private")) return "[not shown: it is secret]";
  if (outcome.status === "error") return short(outcome.message);
  const shown = maskValue(outcome.content, short);
  const whole = JSON.stringify(shown);
  return whole.length <= 4 * longestText || (isJsonObject(shown) && !isLongList(shown)) ? shown : cut(whole);
}

function isLongList(value: JsonObject): boolean {
  return Object.values(value).some((item) => Array.isArray(item) && item.length > 40);
}

function cut(text: string): string {
  return cutEnd(text, longestText);
}

type Stored = Awaited<ReturnType<State["changes"]["ofTurn"]>>[number];

/** The files that a turn changed, each once, as the calls that changed them come. */
class ChangedFiles {
  readonly #state: PastStepsParts["state"];
  readonly #left: Stored[];

  constructor({ state }: Pick<PastStepsParts, "state">, changes: readonly Stored[]) {
    this.#state = state;
    this.#left = changes.filter(({ kind }) => kind === "file");
  }

  /**
   * The next change of the file that a call named, as a diff, before which other tasks run; null where both
   * versions are not kept.
   */
  async next(path: string | null): Promise<FileDiff | null> {
    if (path === null) return null;
    const named = path.replace(/^(?:~|\.)?\//, "");
    const at = this.#left.findIndex((change) => change.path === path || change.path.endsWith(`/${named}`));
    const [change] = at < 0 ? [] : this.#left.splice(at, 1);
    if (change === undefined) return null;
    await new Promise((resolve) => setImmediate(resolve));
    const before = await this.#contents(change.preImage ?? change.before);
    const after = await this.#contents(change.after);
    return before === undefined || after === undefined
      ? null
      : diffFile(change.path, before, after, mostCompared);
  }

  /** Null for no file; undefined where the contents are not kept. */
  async #contents(digest: string | null): Promise<Uint8Array | null | undefined> {
    if (digest === null) return null;
    const kept = await this.#state.changes.preImage(digest);
    return kept.status === "kept" ? kept.bytes : undefined;
  }
}
