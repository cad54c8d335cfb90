import type { Action } from "../signal/action.ts";
import { countDiffs, wordsOfCount, wordsOfFiles } from "../signal/count-diffs.ts";
import { inBuffer, isMadeInBuffer } from "../signal/editor-buffer.ts";
import type { FileDiff } from "../signal/file-diff.ts";
import type { LoopEvent } from "../signal/loop-event.ts";
import { otherNamesIn } from "../signal/other-names.ts";
import { pastStepOf, wordsOfUndone } from "../signal/past-step.ts";
import { countLines } from "../text/cut-middle.ts";
import { codeBlanks, escapeInvisible, quoteLines } from "../text/escape-invisible.ts";
import { isJsonObject, type Json } from "../text/json.ts";
import { commandOf, pathOf } from "./action-text.ts";
import { endOfCall, shownContent } from "./call-end.ts";
import { foldRepositories } from "./fold-repositories.ts";
import { formatDiffs } from "./format-diff.ts";
import { endWithReason } from "./reason-at-end.ts";

type OutcomeEvent = Pick<
  Extract<LoopEvent, { readonly type: "outcome" }>,
  "tool" | "status" | "code" | "content" | "changes"
>;

/** Lines of a command's output that an outcome shows. */
const shownLines = 20;
/** Rows of diffs that an outcome shows. */
const shownRows = 40;
/** Characters of a command that stand in the first line. */
const longestInLine = 120;

/**
 * The lines that tell a person what came of an action: of a command its exit code, its text and the end of its output, of an edit the file and its
 * diff. "done" is said of exit code 0 only. `action` is the proposal; null where it is not known.
 */
export function formatOutcome(event: OutcomeEvent, action: Action | null): readonly string[] {
  const tool = event.tool.replaceAll(/[\r\n\u2028\u2029]/g, " ");
  const command = action === null ? null : commandOf(action);
  const path = action === null ? null : pathOf(action);
  if (event.status === "error") return formatError(event, { tool, command, path });
  if (endOfCall(event) === "put off") return [`${tool}: put off`];
  if (event.tool === "shell")
    return [...formatCommand(event.content, command), ...formatChanges(event.changes ?? [])];
  if (event.changes !== undefined) {
    const [first = "", ...rows] = formatChanged(tool, event.changes, action);
    const others = otherNamesIn(event.content);
    const more = [...(isMadeInBuffer(event.content) ? [inBuffer] : []), ...(others === null ? [] : [others])];
    return [[first, ...more].join(", "), ...rows];
  }
  return [path === null ? `${tool}: done` : `${tool}: done: ${escapeInvisible(path)}`];
}

/** What a command changed: diffs of files, and a line for each repository. */
function formatChanges(changes: readonly FileDiff[]): readonly string[] {
  const { files, repositories } = foldRepositories(changes);
  return [...formatDiffs(files, null, shownRows), ...repositories.map((line) => `  ${line}`)];
}

/** What changed in files, with the name that the action has for one. */
function formatChanged(tool: string, changes: readonly FileDiff[], action: Action | null): readonly string[] {
  const [only] = changes;
  const named = action === null ? null : pathOf(action);
  if (only === undefined && named !== null) return [`${tool}: done: ${escapeInvisible(named)} (no change)`];
  if (only === undefined || changes.length > 1)
    return [
      `${tool}: done: ${wordsOfFiles(countDiffs(changes).files)}`,
      ...formatDiffs(changes, null, shownRows),
    ];
  const counts = `(+${only.added} −${only.removed})`;
  const rows = formatDiffs([only], null, shownRows).slice(1);
  return [`${tool}: done: ${escapeInvisible(named ?? only.path)} ${counts}`, ...rows];
}

function formatError(
  { code, content }: OutcomeEvent,
  { tool, command, path }: { readonly tool: string } & Readonly<Record<"command" | "path", string | null>>,
): readonly string[] {
  const end = endOfCall({ status: "error", code, content });
  const shown = shownContent({ code, content });
  const output = shown === null ? [] : endOf(String(shown));
  if (end === "denied") return [`${tool}: denied`, ...output];
  const said = end === "failed" ? `${tool}: failed (${escapeInvisible(code)})` : `${tool}: ${end}`;
  if (command !== null) return [...withCommand(said, command), ...output];
  if (end !== "failed") return [said];
  return [path === null ? said : `${said}: ${escapeInvisible(path)}`, ...output];
}

function formatCommand(content: Json, command: string | null): readonly string[] {
  if (!isJsonObject(content)) return withCommand("shell: ended, its output is not shown", command);
  const { stdout, stderr, exitCode, background, note } = content;
  const code = typeof exitCode === "number" ? `exit code ${exitCode}` : "no exit code";
  const output = [stdout, stderr].filter((text) => typeof text === "string" && text.trim() !== "").join("\n");
  const end = output.trim() === "" ? [] : endOf(output);
  const ended = [note, background]
    .filter((text) => typeof text === "string" && text !== "")
    .map((text) => `    (${escapeInvisible(String(text))})`);
  return [
    ...withCommand(`shell: ${exitCode === 0 ? "done" : "failed"} (${code})`, command),
    ...end,
    ...ended,
  ];
}

/** A command stands in the line that tells its end, or as lines below it where it is long. */
function withCommand(said: string, command: string | null): readonly string[] {
  if (command === null) return [said];
  const isShort = command.length <= longestInLine && !/[\r\n]/.test(command.trim());
  return isShort
    ? [`${said}: ${escapeInvisible(command.trim(), codeBlanks)}`]
    : [said, ...quoteLines(command, "$ ")];
}

/** The end of an output, behind a margin. */
function endOf(text: string): readonly string[] {
  const all = text.trimEnd().split("\n");
  const shown = endWithReason(all, shownLines);
  const left = all.length - shown.length;
  if (left === 0) return quoteLines(text.trimEnd());
  const { isLeast } = countLines(text);
  const before = isLeast
    ? `at least ${left} lines before; /output shows what is kept`
    : `${left} lines before; /output shows all`;
  return [`    (${before})`, ...quoteLines(shown.join("\n"))];
}

/** The lines on a call of a past turn, as the history of a session tells it. */
export function formatPastStep(step: Json): readonly string[] {
  const past = pastStepOf(step);
  if (past === null) return [];
  const { tool, status, code, action, content, changed, changes, undone } = past;
  const said = past.said === "" ? [] : [past.said];
  if (status === "not-done") return [...said, `${tool}: not done`];
  const isSame = changes === null && changed?.files === 0;
  const given = isSame ? { changes: [] } : changes === null ? {} : { changes };
  const [first = "", ...rest] = formatOutcome({ tool, status, code, content, ...given }, action);
  const counted =
    changes === null && changed !== null && !isSame ? [`    (changed ${wordsOfCount(changed)})`] : [];
  const marked = undone === null ? first : `↶ ${wordsOfUndone(undone)} since: ${first}`;
  return [...said, marked, ...counted, ...rest];
}
