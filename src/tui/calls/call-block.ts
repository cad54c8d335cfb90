import { foldRepositories } from "../../shown/fold-repositories.ts";
import { endWithReason } from "../../shown/reason-at-end.ts";
import { countLines } from "../../text/cut-middle.ts";
import { greatest, pushAll } from "../../text/lists.ts";
import { Block, type FoldedPart, type Look, spread } from "../screen/block.ts";
import { cleanLine } from "../screen/clean.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, widthOf, wrap } from "../screen/toolkit.ts";
import { diffRows } from "../words/diff-rows.ts";
import {
  type Call,
  changesOf,
  countChanges,
  countOfChanges,
  type FileChange,
  formatTime,
  isFailure,
  measuresOf,
  noteOf,
  type Outcome,
  outputOf,
  titleOf,
  toolOf,
} from "./call.ts";

/** Lines of a change, of an output that was unfolded, and of a failed call's output. */
const changeLines = 12;
/** Files that a folded command names. */
const fileLines = 5;
const outputLines = 400;
const failureLines = 8;
/** Rows of what the program says of a command whose output is folded. */
const noteLines = 6;
/** Lines of what a running call prints. */
const runningLines = 5;

/** A tool call: one line, its change, and the line of its gates. A key or a click unfolds the rest. */
export class CallBlock extends Block {
  #call: Call;
  #output: "folded" | "unfolded" = "folded";
  #gates: "folded" | "unfolded" = "folded";
  /** The row of the gate line, for clicks. */
  #gateRow = -1;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  get call(): Call {
    return this.#call;
  }

  override get isSettled(): boolean {
    return this.#call.outcome !== null;
  }

  update(known: Partial<Call>): void {
    this.#call = { ...this.#call, ...known };
    this.changed();
  }

  set output(fold: "folded" | "unfolded") {
    this.#output = fold;
    this.changed();
  }

  set gates(fold: "folded" | "unfolded") {
    this.#gates = fold;
    this.changed();
  }

  override onClick(row: number): boolean {
    return this.toggle(row >= this.#gateRow && this.#gateRow !== -1 ? "gates" : "output");
  }

  override toggle(part: FoldedPart): boolean {
    if (part === "gates") this.gates = this.#gates === "folded" ? "unfolded" : "folded";
    else this.output = this.#output === "folded" ? "unfolded" : "folded";
    return true;
  }

  override get text(): string {
    const { verb, what } = titleOf(this.#call.action);
    const { outcome } = this.#call;
    const changes = (changesOf(this.#call) ?? []).flatMap(({ lines }) =>
      lines.map(({ mark, text }) => `${mark}${text}`),
    );
    const output = outcome === null ? "" : outputOf(outcome);
    return [`${verb} ${what}`, ...changes, ...(output === "" ? [] : [output])].join("\n");
  }

  protected override layOut(columns: number, { theme }: Look): readonly string[] {
    const call = this.#call;
    const rows = ["", this.#title(columns, theme), ...this.#change(columns, theme)];
    if (call.outcome !== null) pushAll(rows, this.#outcome(call.outcome, columns, theme));
    else if (call.printed !== undefined) pushAll(rows, this.#printed(call.printed, columns, theme));
    const hasEffect = call.effects.some(({ kind }) => kind !== "read-path" && kind !== "tell-person");
    this.#gateRow = -1;
    if (call.trace.length > 0 && (hasEffect || this.#gates === "unfolded")) {
      this.#gateRow = rows.length;
      pushAll(rows, gateRows(call, { columns, theme, unfolded: this.#gates === "unfolded" }));
    }
    return rows;
  }

  #title(columns: number, theme: Theme): string {
    const { verb, what } = titleOf(this.#call.action);
    const [first = "", ...more] = what.split("\n");
    const shown = more.length === 0 ? cleanLine(first) : `${cleanLine(first)} … (${more.length + 1} lines)`;
    const parts = [...measuresOf(this.#call)];
    const room = (): number => columns - widthOf(parts.join(" · ")) - widthOf(verb) - 7;
    while (parts.length > 0 && room() < Math.min(12, widthOf(shown))) parts.pop();
    return spread(
      ` ${this.#sign(theme)} ${theme.bold(verb)} ${cut(shown, room())}`,
      theme.dim(parts.join(" · ")),
      columns,
    );
  }

  #sign(theme: Theme): string {
    const { outcome, undone = null } = this.#call;
    if (outcome === null) return theme.dim("○");
    if (undone !== null) return theme.warning("↶");
    if (outcome.state === "done" && !isFailure(outcome)) return theme.added("●");
    if (outcome.state === "put off") return theme.warning("●");
    if (outcome.state === "not known") return theme.warning("?");
    const isWanted = ["denied", "stopped", "not done"].includes(outcome.state);
    return isWanted ? theme.warning("✗") : theme.error("✗");
  }

  /** An edit shows its diff. A command shows a line for each file that it changed, and unfolded what it changed there. */
  #change(columns: number, theme: Theme): readonly string[] {
    // What a question shows is shown once.
    if (this.#isAsked && this.#output === "folded") return [];
    const isFolded = this.#isCommand && this.#output === "folded";
    const { files: shown, repositories } = isFolded
      ? foldRepositories(this.#call.changes ?? [])
      : { files: this.#call.changes, repositories: [] };
    const changes = changesOf({ ...this.#call, changes: shown }) ?? [];
    const isNamed = this.#isCommand || changes.length > 1;
    const most = this.#output === "unfolded" ? outputLines : changeLines;
    const named = changes.filter(({ rest }) => rest === undefined).slice(0, isFolded ? fileLines : undefined);
    const rows = named.flatMap((change) => [
      ...(isNamed ? [`   ${theme.dim("│")} ${this.#file(change, columns - 5)}`] : []),
      ...(isFolded
        ? []
        : diffRows(change.lines, { columns: columns - 3, theme, most, missing: change.left })
      ).map((row) => `   ${row}`),
    ]);
    const left = countOfChanges(changes).files - named.length;
    return [
      ...rows,
      ...(left > 0 ? [theme.dim(`   │ … ${left.toLocaleString("en")} more files`)] : []),
      ...repositories.map((line) => `   ${theme.dim("│")} ${cut(cleanLine(line), columns - 5)}`),
    ];
  }

  #file(change: FileChange, columns: number): string {
    const count = ` ${countChanges([change])}`;
    return `${cut(cleanLine(change.path), columns - widthOf(count))}${count}`;
  }

  get #isAsked(): boolean {
    const { outcome, trace } = this.#call;
    return outcome === null && trace.some(({ result }) => result === "approval");
  }

  get #isCommand(): boolean {
    return toolOf(this.#call.action) === "shell";
  }

  get #hasChange(): boolean {
    return (changesOf(this.#call) ?? []).length > 0 && !this.#isCommand;
  }

  /** The last lines of a call that runs. */
  #printed(text: string, columns: number, theme: Theme): readonly string[] {
    const most = this.#output === "unfolded" ? outputLines : runningLines;
    return text
      .split("\n")
      .slice(-most)
      .map((line) => `   ${theme.dim("│")} ${cut(cleanLine(line), columns - 6)}`.trimEnd());
  }

  /** What the program says of a command, also where its output is folded. */
  #note(note: string, columns: number, theme: Theme): readonly string[] {
    if (note === "") return [];
    const rows = note.split("\n").flatMap((line) => wrap(cleanLine(line), columns - 6));
    const left = rows.length - noteLines;
    return [
      ...rows.slice(0, noteLines).map((row) => `   ${theme.dim("│")} ${theme.warning(row)}`),
      ...(left > 0 ? [theme.dim("   │ … Ctrl+O shows all")] : []),
    ];
  }

  #outcome(outcome: Outcome, columns: number, theme: Theme): readonly string[] {
    const failed = isFailure(outcome);
    if (!failed && (this.#output === "folded" || this.#hasChange))
      return this.#isCommand ? this.#note(noteOf(outcome), columns, theme) : [];
    const output = outputOf(outcome);
    if (output === "") return this.#output === "unfolded" ? [theme.dim("   │ (no output)")] : [];
    const lines = output.split("\n");
    const most = this.#output === "unfolded" ? outputLines : failureLines;
    const shown = failed ? endWithReason(lines, most) : lines.slice(-most);
    const left = lines.length - shown.length;
    const isLeast = countLines(output).isLeast ? "at least " : "";
    const rows = shown.flatMap((line) => wrap(line === "" ? " " : line, columns - 6));
    const margin = theme.dim("│");
    return [
      ...(left > 0 ? [theme.dim(`   │ … ${isLeast}${left} lines before`)] : []),
      ...rows.map((row) => `   ${margin} ${row}`.trimEnd()),
    ];
  }
}

/** The line that says how the call was judged; unfolded, every gate with its answer and its reason. */
export function gateRows(
  { trace, tried = false, gates, judgedIn }: Pick<Call, "trace" | "tried" | "gates" | "judgedIn">,
  {
    columns,
    theme,
    unfolded,
  }: { readonly columns: number; readonly theme: Theme; readonly unfolded: boolean },
): readonly string[] {
  const stopped = trace.filter(({ result }) => result === "blocked");
  const asked = trace.filter(({ result }) => result === "approval");
  const [sign, style] =
    stopped.length > 0
      ? (["✗", theme.error] as const)
      : asked.length > 0 && !tried
        ? (["?", theme.warning] as const)
        : (["✓", theme.added] as const);
  const time = judgedIn === null ? "" : ` · ${formatTime(judgedIn)}`;
  const count = gates ?? trace.length;
  const said = `${count} ${count === 1 ? "gate" : "gates"}${time}`;
  const head = spread(
    `   ${style(sign)} ${theme.dim(said)}`,
    theme.dim(unfolded ? "Ctrl+G: fold" : "Ctrl+G: show them"),
    columns,
  );
  if (!unfolded) return [head];
  const width = Math.min(18, greatest(trace.map(({ gate }) => widthOf(gate))));
  const words = { passed: "passed ", approval: tried ? "tried  " : "asks   ", blocked: "blocked" } as const;
  const styles = {
    passed: theme.dim,
    approval: tried ? theme.dim : theme.warning,
    blocked: theme.error,
  } as const;
  return [
    head,
    ...trace.flatMap(({ gate, result, reason }) => {
      const before = `     ${cut(gate, width).padEnd(width)}  `;
      const room = columns - width - 17;
      const [first = "", ...more] = room < 12 ? [""] : wrap(cleanLine(reason), room);
      const indent = " ".repeat(width + 16);
      return [
        `${before}${styles[result](words[result])}  ${first}`.trimEnd(),
        ...more.map((row) => indent + row),
      ];
    }),
    ...(count > trace.length
      ? [theme.dim(`     … ${count - trace.length} more passed without concern`)]
      : []),
  ];
}
