import { commandOf, pathOf } from "../../shown/action-text.ts";
import { type CallEnd, type CallResult, endOfCall, shownContent } from "../../shown/call-end.ts";
import { nothingFound, readable } from "../../shown/format-result.ts";
import type { Action } from "../../signal/action.ts";
import { type ChangeCount, countDiffs, wordsOfCount } from "../../signal/count-diffs.ts";
import { inBuffer, isMadeInBuffer } from "../../signal/editor-buffer.ts";
import type { Effect } from "../../signal/effect.ts";
import type { FileDiff } from "../../signal/file-diff.ts";
import { otherNamesIn } from "../../signal/other-names.ts";
import { type Undone, wordsOfUndone } from "../../signal/past-step.ts";
import type { TraceLine } from "../../signal/verdict.ts";
import { countOf } from "../../text/count-of.ts";
import { countLines } from "../../text/cut-middle.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { type DiffLine, diffOf, readUnifiedDiff } from "../words/diff-rows.ts";

/** What is known of a tool call. Everything in it is cleaned. */
export type Call = {
  readonly action: Action;
  readonly effects: readonly Effect[];
  readonly trace: readonly TraceLine[];
  /**
   * True where the gates that would ask had it tried in a copy first, so that nobody was asked; left out
   * where they did not.
   */
  readonly tried?: boolean;
  /** How many gates were asked, and milliseconds that judging took; null where the daemon does not say. */
  readonly gates: number | null;
  readonly judgedIn: number | null;
  /** What changes in files, as the daemon computed it; null where it gave nothing. */
  readonly changes: readonly FileDiff[] | null;
  /** How much it changed, of a past call whose changes are not kept; left out elsewhere. */
  readonly changed?: ChangeCount | null;
  readonly outcome: Outcome | null;
  /** The last lines that it has printed, while it runs; left out where it printed nothing. */
  readonly printed?: string;
  /** Whether what it changed was undone since; null or left out where it was not. */
  readonly undone?: Undone | null;
};

/** What came of a call. `milliseconds` is null where nobody measured. */
export type Outcome = {
  readonly state: CallEnd;
  readonly content: Json;
  readonly code: string;
  readonly milliseconds: number | null;
};

/** What came of a call, as it is shown. */
export function outcomeOf(result: CallResult, milliseconds: number | null): Outcome {
  return { state: endOfCall(result), content: shownContent(result), code: result.code, milliseconds };
}

/** Whether a call was not done, or its command ended with another code than 0. */
export function isFailure({ state, content }: Outcome): boolean {
  if (state === "put off") return false;
  if (state !== "done") return true;
  return (
    typeof content === "object" && content !== null && "exitCode" in content && content["exitCode"] !== 0
  );
}

/** Verbs of tools as a person says them; other tools are called by their name. */
const verbs: ReadonlyMap<string, string> = new Map([
  ["read-file", "Read"],
  ["edit-file", "Edit"],
  ["write-file", "Write"],
  ["read-code", "Read"],
  ["edit-code", "Edit"],
  ["list-files", "List"],
  ["search-files", "Search"],
  ["fetch-url", "Fetch"],
  ["shell", "Run"],
  ["find-lines", "Find"],
  ["propose-plan", "Plan"],
  ["eval", "Evaluate"],
  ["repl", "Evaluate"],
]);

/** The name of the tool of an action; that of its target for any other. */
export function toolOf({ target, payload }: Action): string {
  return typeof payload["tool"] === "string" ? payload["tool"] : target;
}

/** What a call does, on what. */
export function titleOf(action: Action): { readonly verb: string; readonly what: string } {
  const tool = toolOf(action);
  const plain = tool.replaceAll("-", " ");
  const verb = verbs.get(tool) ?? plain.charAt(0).toUpperCase() + plain.slice(1);
  return { verb, what: (commandOf(action) ?? pathOf(action) ?? firstText(argumentsOf(action))).trim() };
}

function argumentsOf({ payload }: Action): JsonObject {
  return isJsonObject(payload["args"]) ? payload["args"] : payload;
}

function firstText(values: JsonObject): string {
  return (
    Object.entries(values)
      .find(([key, value]) => typeof value === "string" && key !== "tool")?.[1]
      ?.toString() ?? ""
  );
}

/** A change of one file, to be shown. */
export type FileChange = {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  /** Lines that the daemon left out. */
  readonly left: number;
  readonly isDeleted: boolean;
  readonly rest?: NonNullable<FileDiff["rest"]>;
  readonly uncounted?: true;
};

/** What a call changes in files: as the daemon says it, else as its arguments do; null where it changes none. */
export function changesOf({
  action,
  changes,
}: Pick<Call, "action" | "changes">): readonly FileChange[] | null {
  if (changes !== null) {
    return changes.map(({ path, change, diff, added, removed, left, rest, uncounted }) => ({
      path,
      ...(rest === undefined ? {} : { rest }),
      ...(uncounted === undefined ? {} : { uncounted }),
      lines: readUnifiedDiff(diff),
      added,
      removed,
      left,
      isDeleted: change === "delete",
    }));
  }
  const path = pathOf(action);
  const { old, new: replacement, content } = argumentsOf(action);
  if (path === null) return null;
  if (typeof old === "string" && typeof replacement === "string")
    return [changeOf(path, diffOf(old, replacement))];
  return typeof content === "string" ? [changeOf(path, diffOf("", content))] : null;
}

function changeOf(path: string, lines: readonly DiffLine[]): FileChange {
  const count = (mark: string): number => lines.filter((line) => line.mark === mark).length;
  return { path, lines, added: count("+"), removed: count("-"), left: 0, isDeleted: false };
}

/** How much changes. */
export function countOfChanges(changes: readonly FileChange[]): ChangeCount {
  return countDiffs(changes.map((one) => ({ ...one, change: one.isDeleted ? "delete" : "replace" })));
}

/** How much changes, in words. */
export function countChanges(changes: readonly FileChange[]): string {
  return wordsOfCount(countOfChanges(changes));
}

/** What a call gave, as text; of a command what it printed. */
export function outputOf({ content }: Outcome): string {
  if (typeof content === "string") return content.trimEnd();
  if (isJsonArray(content)) return readable(content) ?? "";
  if (!isJsonObject(content)) return content === null ? "" : String(content);
  const { stdout, stderr, note, background } = content;
  if (typeof stdout === "string" || typeof stderr === "string") {
    return [stdout, stderr, note, background]
      .flatMap((text) => (typeof text === "string" && text !== "" ? [text.replace(/\n$/, "")] : []))
      .join("\n");
  }
  for (const key of ["text", "content", "answer"]) {
    const value = content[key];
    if (typeof value === "string") return value.trimEnd();
  }
  return (
    readable(content) ??
    Object.entries(content)
      .map(([key, value]) => `${key}: ${asText(value)}`)
      .join("\n")
  );
}

/** What the program itself says of a command that was run; empty where it says nothing. */
export function noteOf({ content }: Outcome): string {
  const note = isJsonObject(content) ? content["note"] : undefined;
  return typeof note === "string" ? note.trim() : "";
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How much, and how long, what matters most first: `3 lines`, `0.1 s`. */
export function measuresOf(call: Call): readonly string[] {
  const { outcome } = call;
  const change = changesOf(call);
  const parts: string[] = [];
  if (outcome === null) return change === null ? [] : [countChanges(change)];
  if (outcome.state === "blocked") return [blockedBy(call.trace)];
  if (outcome.state !== "done" && outcome.state !== "failed") return [outcome.state];
  const isUndone = call.undone !== undefined && call.undone !== null;
  if (isUndone) parts.push(wordsOfUndone(call.undone));
  const code = isJsonObject(outcome.content) ? outcome.content["exitCode"] : undefined;
  if (typeof code === "number" && code !== 0) parts.push(`exit code ${code}`);
  // Of what failed nothing is changed that could be counted or undone.
  if (outcome.state === "failed") parts.push("failed");
  else if (change !== null && change.length > 0)
    parts.push(
      countChanges(change),
      isMadeInBuffer(outcome.content) ? inBuffer : "",
      otherNamesIn(outcome.content) ?? "",
      isUndone ? "" : reversalOf(call.effects),
    );
  else if (change !== null && toolOf(call.action) !== "shell") parts.push("no change");
  else if (call.changed !== undefined && call.changed !== null) parts.push(wordsOfCount(call.changed));
  else {
    const output = outputOf(outcome);
    const { lines, isLeast } = countLines(output);
    // Nobody can count what is not kept.
    if (outcome.content === null) parts.push("");
    else if (output === nothingFound) parts.push("nothing found");
    else parts.push(`${isLeast ? "at least " : ""}${countOf(lines, "line")}`);
  }
  if (outcome.milliseconds !== null)
    parts.push(outcome.milliseconds === 0 ? "<1 ms" : formatTime(outcome.milliseconds));
  return parts.filter((part) => part !== "");
}

/** That gates blocked it, and which. */
function blockedBy(trace: readonly TraceLine[]): string {
  const gates = trace.filter(({ result }) => result === "blocked").map(({ gate }) => gate);
  return gates.length === 0 ? "blocked" : `blocked by ${gates.join(", ")}`;
}

/** Whether what was done can be undone, in words. Empty where nothing was changed. */
function reversalOf(effects: readonly Effect[]): string {
  const changes = effects.filter(({ kind }) => kind !== "read-path");
  if (changes.length === 0) return "";
  return changes.every(({ reversal }) => reversal === "undoable") ? "can be undone" : "cannot be undone";
}

/** A duration as a person reads it: `0.3 ms`, `1.2 s`, `3 min`. */
export function formatTime(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.round(milliseconds / 60_000)} min`;
}
