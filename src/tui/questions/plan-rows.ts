import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { describeEffect, extentWords, quoteWords } from "../../shown/describe-effect.ts";
import { undoWords, worst } from "../../shown/undo-line.ts";
import type { Effect, PlannedStep, ProposedPlan } from "../../signal/effect.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { formatDuration } from "../../text/format-duration.ts";
import { spread } from "../screen/block.ts";
import { withShortHome } from "../screen/short-path.ts";
import { widthOf, wrap } from "../screen/toolkit.ts";
import { type QuestionLayout, quotedRows, reversalStyle } from "./question-parts.ts";

/** Whether a question is about a flight plan. */
export function isPlan({ effects }: Pick<ApprovalQuestion, "effects">): boolean {
  return effects.some((effect) => effect.kind === "change-memory" && effect.plan !== undefined);
}

/** A flight plan as a checklist: every step with all that it may do, and that a yes allows nothing else. */
export function planRows(
  { steps, minutes, dollars }: ProposedPlan,
  layout: QuestionLayout,
): readonly string[] {
  const spending = dollars === undefined ? "" : ` and $${dollars} of model calls`;
  const end = `Nothing else: no other command, path, host or call, in this session and folder only, for ${formatDuration(minutes * 60_000)}${spending} after your yes. Whatever differs asks you.`;
  return [...steps.flatMap((step, index) => stepRows(step, index + 1, layout)), ...wrap(end, layout.columns)];
}

function stepRows(step: PlannedStep, number: number, layout: QuestionLayout): readonly string[] {
  const { theme, columns, home } = layout;
  const { effects, times, sources = [] } = step;
  const indent = "       ";
  const below = (text: string): readonly string[] =>
    wrap(text, columns - indent.length).map((row) => `${indent}${row}`);
  const often = times === 1 ? "" : `, at most ${times} times`;
  const sandboxed = effects.some(
    (effect) => effect.kind === "run-program" && isSaid(effect, step.words, home),
  );
  const what = `${withShortHome(escapeInvisible(step.words), home)}${sandboxed ? ", sandboxed" : ""}`;
  const words = `[ ] ${number}  ${what}${often}`;
  const reversal = worst(effects);
  const undo = undoWords[reversal].toLowerCase().replace(".", "");
  const style = reversalStyle(reversal, theme);
  const hasRoom = widthOf(words) + widthOf(undo) + 2 <= columns;
  return [
    ...(hasRoom
      ? [spread(words, style(undo), columns)]
      : [
          ...wrap(words.slice(indent.length), columns - indent.length).map(
            (row, index) => `${index === 0 ? words.slice(0, indent.length) : indent}${row}`,
          ),
          ...below(undo).map(style),
        ]),
    ...effects.flatMap((effect) => [
      ...(layout.details || !isSaid(effect, step.words, home)
        ? below(`- ${withShortHome(describeEffect(effect), home)}`)
        : []),
      ...extentWords(effect).flatMap((line) => below(`  ${withShortHome(line, home)}`)),
    ]),
    ...sources
      .flatMap((source) => quotedRows(source, { ...layout, columns: columns - 4 }))
      .map((row) => `    ${row}`),
  ];
}

/** Whether the words of a step say all of an effect: which path it writes, or which command it runs in the sandbox. */
function isSaid(effect: Effect, words: string, home: string): boolean {
  if (effect.kind === "write-path")
    return (
      effect.tree !== true && withShortHome(words, home) === withShortHome(`write ${effect.target}`, home)
    );
  if (effect.kind !== "run-program" || !effect.confined || (effect.network ?? []).length > 0) return false;
  const said = words.replaceAll('"', "'");
  return [quoteWords(effect.argv), effect.argv.join(" ")].some((command) => said === `run ${command}`);
}
