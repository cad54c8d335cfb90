import { commandOf } from "../../shown/action-text.ts";
import { type ApprovalQuestion, withoutCommand } from "../../shown/approval-question.ts";
import { arrangeEffects } from "../../shown/arrange-effects.ts";
import { describeEffect } from "../../shown/describe-effect.ts";
import { undoLine, undoWords, worst } from "../../shown/undo-line.ts";
import { wordsOfFiles, wordsOfLines } from "../../signal/count-diffs.ts";
import { inBuffer } from "../../signal/editor-buffer.ts";
import type { Effect, RunProgram } from "../../signal/effect.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { changesOf, countChanges, countOfChanges, type FileChange } from "../calls/call.ts";
import { gateRows } from "../calls/call-block.ts";
import { spread } from "../screen/block.ts";
import { cleanText } from "../screen/clean.ts";
import { shortPath, withShortHome } from "../screen/short-path.ts";
import { widthOf, wrap } from "../screen/toolkit.ts";
import { type DiffLine, diffRows } from "../words/diff-rows.ts";
import { offersOf } from "./offers.ts";
import { planRows } from "./plan-rows.ts";
import { type QuestionLayout, quotedRows, readableLine, reversalStyle } from "./question-parts.ts";

/**
 * A question as rows: what would be done, what else that touches, whether it can be undone, why it asks, what the judge offers, and last the
 * agent's own words, marked as such. What would be done is shown once and whole; only what is truly hidden in it is escaped.
 */
export function questionRows(question: ApprovalQuestion, layout: QuestionLayout): readonly string[] {
  const { theme, columns } = layout;
  const { reason, habit, action } = question;
  const say = (text: string, style: (row: string) => string = (row) => row): readonly string[] =>
    wrap(text, columns).map(style);
  const explanation = escapeInvisible(action.explanation.trim());
  return [
    ...whatRows(question, layout),
    "",
    ...say(undoLine(question.effects, question.workspace), reversalStyle(worst(question.effects), theme)),
    ...say(
      `Asked because ${withShortHome(escapeInvisible(withoutCommand(reason)), layout.home)}`.replace(
        /([^.!?])$/,
        "$1.",
      ),
    ),
    ...(habit === undefined ? [] : say(`${cleanText(habit)} Read this one.`, theme.warning)),
    ...offerRows(question, layout),
    ...(explanation === "" ? [] : say(`The agent says: ${explanation}`, theme.dim)),
    ...(layout.details ? detailRows(question, layout) : []),
  ];
}

/** What else a yes can say, numbered as the keys take it; of a rule each part on a row of its own. */
function offerRows(question: ApprovalQuestion, layout: QuestionLayout): readonly string[] {
  const { columns, theme } = layout;
  const offers = offersOf(question, layout.home);
  if (offers.length === 0) return [];
  const indented = (text: string, first: string): readonly string[] =>
    wrap(text, columns - first.length).map((row, index) =>
      index === 0 ? `${theme.accent(first)}${row}` : `${" ".repeat(first.length)}${row}`,
    );
  return [
    "",
    ...offers.flatMap(({ words: [title = "", ...parts] }, index) => [
      ...indented(title, `a ${index + 1}  `),
      ...parts.flatMap((part) => indented(part, "     - ")),
    ]),
    "",
  ];
}

function whatRows(question: ApprovalQuestion, layout: QuestionLayout): readonly string[] {
  const { action, effects } = question;
  const command = commandOf(action);
  const changes = changesOf({ action, changes: question.changes ?? null });
  const plan = effects.flatMap((effect) => (effect.kind === "change-memory" ? (effect.plan ?? []) : []));
  if (plan.length > 0) {
    return plan.flatMap((one) => planRows(one, layout));
  }
  if (command !== null) return commandRows(command, question, layout);
  if (changes !== null && changes.length > 0) return changeRows(changes, question, layout);
  return [
    ...effectRows(effects, question.workspace, layout),
    ...quotedRows(JSON.stringify(action.payload), layout),
  ];
}

function commandRows(
  command: string,
  { effects, workspace, changes }: ApprovalQuestion,
  layout: QuestionLayout,
): readonly string[] {
  const programs = effects.filter((effect): effect is RunProgram => effect.kind === "run-program");
  const confined = programs.every((program) => program.confined);
  const hosts = [...new Set(programs.flatMap(({ network }) => network ?? []))];
  const parts = [
    programs.length === 0 ? "Keep what this changed when it was tried" : "Run this",
    workspace === null ? "" : ` in ${shortPath(workspace, layout.home)}`,
    programs.length === 0 ? "" : confined ? ", sandboxed" : ", WITHOUT a sandbox",
    hosts.length > 0
      ? `, once with network to ${hosts.map((host) => escapeInvisible(host)).join(", ")}`
      : confined && programs.length > 0
        ? ", without network"
        : "",
  ];
  const style = confined ? layout.theme.bold : layout.theme.error;
  const shown = new Set(layout.tried === "unfolded" ? (changes ?? []).map(({ path }) => path) : []);
  const others = effects.filter(({ kind, target }) => kind !== "run-program" && !shown.has(target));
  return [
    ...wrap(parts.join(""), layout.columns).map(style),
    "",
    ...quotedRows(command, layout),
    ...triedRows(changes, workspace, layout),
    ...(others.length === 0 ? [] : ["", ...effectRows(others, workspace, layout)]),
  ];
}

/** What a trial of a command showed. */
function triedRows(
  changes: ApprovalQuestion["changes"],
  workspace: string | null,
  layout: QuestionLayout,
): readonly string[] {
  if (changes === undefined || changes.length === 0) return [];
  const found = changesOf({ action: nothing, changes }) ?? [];
  const [only] = found;
  const count = countOfChanges(found);
  const files =
    count.files === 1 && only !== undefined
      ? shortPath(only.path, layout.home, workspace)
      : wordsOfFiles(count.files);
  const said = `Tried in a copy: it would change ${files} (${wordsOfLines(count)})`;
  if (layout.tried === "unfolded") {
    const rows = found
      .filter(({ rest }) => rest === undefined)
      .slice(0, layout.mostFiles)
      .flatMap((change) => fileRows(change, workspace, layout));
    const last = moreFiles(found, workspace, layout);
    return ["", ...wrap(said, layout.columns), ...rows, ...last.flatMap((row) => wrap(row, layout.columns))];
  }
  const key = "d: show them";
  const hasRoom = widthOf(said) + key.length + 2 <= layout.columns;
  return hasRoom
    ? ["", spread(said, layout.theme.accent(key), layout.columns)]
    : ["", ...wrap(said, layout.columns), layout.theme.accent(key)];
}

/**
 * What stands behind the files that are shown line by line, in one row: the names of further ones, and how
 * many are not named.
 */
function moreFiles(
  found: readonly FileChange[],
  workspace: string | null,
  { home, mostFiles }: QuestionLayout,
): readonly string[] {
  const named = found.filter(({ rest }) => rest === undefined);
  const names = mostFiles === undefined ? [] : named.slice(mostFiles);
  const more = countOfChanges(found).files - named.length;
  if (names.length + more === 0) return [];
  const listed = names.map(({ path }) => shortPath(path, home, workspace));
  const unnamed = more === 0 ? [] : [`${more.toLocaleString("en")} that are not named here`];
  return [`And ${wordsOfFiles(names.length + more)} more: ${[...listed, ...unnamed].join(", ")}`];
}

const nothing = { target: "", payload: {}, explanation: "" } as const;

function fileRows(
  change: FileChange,
  workspace: string | null,
  layout: QuestionLayout,
  verb = "",
): readonly string[] {
  const { columns, theme, home } = layout;
  const lines = change.lines.map(
    ({ mark, text }): DiffLine => ({ mark, text: readableLine(text, columns - 6) }),
  );
  const left = change.left === 0 ? [] : [theme.warning(`${change.left} more lines are not shown here.`)];
  const title = `${verb}${shortPath(change.path, home, workspace)} (${countChanges([change])})`;
  return [
    ...wrap(title, columns).map(theme.bold),
    ...diffRows(lines, { columns, theme, most: Number.POSITIVE_INFINITY }),
    ...left,
  ];
}

function changeRows(
  changes: readonly FileChange[],
  { effects, workspace }: ApprovalQuestion,
  layout: QuestionLayout,
): readonly string[] {
  const written = effects.flatMap((effect) => (effect.kind === "write-path" ? [effect] : []));
  // A question that is asked again knows the path only as the agent named it.
  const [first] = written;
  const isOne = changes.length === 1 && written.length === 1 && first !== undefined;
  const shown = isOne ? changes.map((change) => ({ ...change, path: first.target })) : changes;
  const editors = new Map(written.map(({ target, editor = "" }) => [target, editor]));
  const verb =
    written.length > 0 && written.every(({ change }) => change === "create") ? "Create " : "Change ";
  const paths = new Set(shown.map(({ path }) => path));
  const others = effects.filter(
    ({ kind, target }) => kind !== "read-path" && !(kind === "write-path" && paths.has(target)),
  );
  return [
    ...shown.flatMap((change) => [
      ...fileRows(change, workspace, layout, verb),
      ...editorRows(editors.get(change.path) ?? "", layout),
    ]),
    ...effectRows(others, workspace, layout),
  ];
}

/** What it means for a change that an editor has unsaved changes of the file. */
function editorRows(words: string, { columns }: QuestionLayout): readonly string[] {
  return words === "" ? [] : wrap(`This ${words === inBuffer ? "is made " : ""}${words}.`, columns);
}

/** Effects as a list, each line once. */
function effectRows(
  effects: readonly Effect[],
  workspace: string | null,
  { columns, home }: QuestionLayout,
): readonly string[] {
  const lines = arrangeEffects(effects).map((effect) =>
    describeEffect(withShortPath(effect, home, workspace)),
  );
  return [...new Set(lines)].flatMap((line) =>
    wrap(line, columns - 2).map((row, index) => `${index === 0 ? "• " : "  "}${row}`),
  );
}

function withShortPath(effect: Effect, home: string, workspace: string | null): Effect {
  const isPath = effect.kind === "read-path" || effect.kind === "write-path" || effect.kind === "delete-path";
  return isPath ? { ...effect, target: shortPath(effect.target, home, workspace) } : effect;
}

function detailRows(question: ApprovalQuestion, { columns, theme }: QuestionLayout): readonly string[] {
  const { effects, trace, session, action } = question;
  const isCommand = commandOf(action) !== null;
  return [
    "",
    theme.bold("Details"),
    ...effects.flatMap((effect) => {
      const what =
        isCommand && effect.kind === "run-program" ? "run the command above" : describeEffect(effect);
      return wrap(`• ${what} (${undoWords[effect.reversal].toLowerCase().replace(".", "")})`, columns);
    }),
    ...gateRows({ trace, gates: null, judgedIn: null }, { columns, theme, unfolded: true }).slice(1),
    ...wrap(`Session ${session}`, columns).map(theme.dim),
  ];
}
