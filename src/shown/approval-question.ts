import type { Effect, RunProgram } from "../signal/effect.ts";
import type { LoopEvent } from "../signal/loop-event.ts";
import { shorten } from "../text/cut-text.ts";
import { codeBlanks, escapeInvisible, quoteLines } from "../text/escape-invisible.ts";
import { commandOf, formatFileChange } from "./action-text.ts";
import { arrangeEffects } from "./arrange-effects.ts";
import { describeEffect, quoteWords, reversalWords } from "./describe-effect.ts";
import { formatDiffs, relativePath } from "./format-diff.ts";
import { formatPlan } from "./format-plan.ts";

/** An open question to the owner, with a token that answers it. */
export type ApprovalQuestion = Extract<LoopEvent, { readonly type: "approval-required" }>;

/**
 * How a question is answered: by its token in any conversation, by a word where it is the only one that
 * waits, or by a command of a shell.
 */
export type AnswerForm = "by-token" | "by-word" | "by-command";

/** Milliseconds of an hour. */
const hour = 3_600_000;
/** Characters of an action above which the question says that it is long. */
const longAction = 2000;
/** Rows of what a command changed when it was tried that a question shows. */
const mostTriedRows = 60;
/** Characters of an explanation that are shown. */
const longestExplanation = 400;

/**
 * Formats a question for a person, the same at every door: what would be done to which real paths and whether it can be undone, what would
 * run or be written, why it needs an answer, and at the end what the agent says about it. Nothing of what would be done is cut; a note says
 * if it is long. What content brings stands behind a margin or inside a line, so that it cannot look like the question. `now` is in Unix milliseconds.
 */
export function formatApprovalQuestion(
  question: ApprovalQuestion,
  now: number,
  answer: AnswerForm = "by-token",
): string {
  const { action, reason, habit } = question;
  const explanation = escapeInvisible(shorten(action.explanation, longestExplanation));
  const { length } = JSON.stringify(action.payload);
  return [
    "",
    "May I? This would:",
    ...formatAction(question),
    `  Asked because ${escapeInvisible(withoutCommand(reason))}`,
    ...(explanation === "" ? [] : [`  The agent says: ${explanation}`]),
    ...(length > longAction
      ? [`  This is long (${length} characters). Scroll up and read it from the top.`]
      : []),
    ...(habit === undefined ? [] : [`  ${habit} Read this one.`]),
    ...formatOffers(question, now, answer),
    "",
  ].join("\n");
}

/** A reason without the command line that it quotes as it is run: that stands above it, as it was written. */
export function withoutCommand(reason: string): string {
  return reason.replaceAll(/`bash --noprofile --norc -c [^`]*`/g, "the command");
}

function wordsOfAnswers(token: string, answer: AnswerForm): readonly [string, string, string] {
  switch (answer) {
    case "by-word":
      return ["y", "n", "/always"];
    case "by-token":
      return [`/approve ${token}`, `/deny ${token}`, `/always ${token}`];
    case "by-command":
      return [
        `passepartout approve ${token}`,
        `passepartout deny ${token}`,
        `in a conversation, /always ${token}`,
      ];
  }
}

/** The answers that a question takes. */
function formatOffers(question: ApprovalQuestion, now: number, answer: AnswerForm): readonly string[] {
  const { token, expiresAt, endorsable = [], rule } = question;
  const [yes, no, always] = wordsOfAnswers(token, answer);
  const hours = Math.max(1, Math.round((expiresAt - now) / hour));
  return [
    `Yes${withNetwork(question)}: ${yes}`,
    ...(endorsable.length === 0 ? [] : [offerToEndorse(yes, endorsable)]),
    ...(rule === undefined ? [] : [`Always: ${always} shows the rule: ${escapeInvisible(rule)}`]),
    `No:  ${no}      (to say why: ${answer === "by-word" ? "n " : ""}because …; no answer within ${hours} h means no)`,
  ];
}

/** What a question is shown with. `name`: what its session is called, where that is known. */
type QuestionShown = {
  readonly now: number;
  readonly name?: string | undefined;
  readonly answer?: AnswerForm;
};

/** A question as a session shows it: a question of another session says so, and in which folder that works. */
export function formatQuestionFor(
  question: ApprovalQuestion,
  session: string,
  { now, name = question.session.slice(0, 8), answer = "by-token" }: QuestionShown,
): string {
  const shown = formatApprovalQuestion(question, now, answer);
  if (question.session === session) return shown;
  const folder =
    question.workspace === null ? "without a folder" : `in ${escapeInvisible(question.workspace)}`;
  return `\nThis is a question of another session, ${folder}.\nSession ${escapeInvisible(name)} asks:${shown}`;
}

function offerToEndorse(yes: string, values: readonly string[]): string {
  const shown = [...new Set(values)].map((value) => `“${escapeInvisible(value)}”`).join(", ");
  return `Yes, and ${shown} counts as yours until this task ends: ${yes} value`;
}

/** The hosts that a yes opens to a command, this one time. */
function withNetwork({ effects }: ApprovalQuestion): string {
  const hosts = new Set(
    effects.flatMap((effect) => (effect.kind === "run-program" ? (effect.network ?? []) : [])),
  );
  const values = new Set(
    effects.flatMap((effect) => (effect.kind === "run-program" ? (effect.credentials ?? []) : [])),
  );
  const shown = (texts: ReadonlySet<string>): string =>
    [...texts].map((text) => escapeInvisible(text)).join(", ");
  const credentials = values.size === 0 ? "" : ` and your credential ${shown(values)}`;
  return hosts.size === 0 ? "" : `, once, with network to ${shown(hosts)}${credentials}`;
}

/**
 * What would be done: the effects, and then the command, the change or the arguments that they were computed
 * from, each once. Nothing of it is cut.
 */
export function formatAction({
  action,
  effects: given,
  changes = [],
  workspace,
}: Pick<ApprovalQuestion, "action" | "effects" | "changes" | "workspace">): readonly string[] {
  const effects = arrangeEffects(given);
  const command = commandOf(action);
  if (command !== null)
    return [...formatCommand(command, effects, workspace), ...formatDiffs(changes, workspace, mostTriedRows)];
  const plan = effects.flatMap((effect) => (effect.kind === "change-memory" ? (effect.plan ?? []) : []));
  if (plan.length > 0) return plan.flatMap(formatPlan);
  const isWhole = changes.length > 0 && changes.every(({ diff, left }) => diff !== "" && left === 0);
  const diffs = isWhole ? formatDiffs(changes, workspace, Number.POSITIVE_INFINITY) : null;
  const change = diffs === null ? formatFileChange(action) : diffs.slice(changes.length === 1 ? 1 : 0);
  const payload = change ?? [`  in full: ${escapeInvisible(JSON.stringify(action.payload), codeBlanks)}`];
  return [...new Set(effects.map((effect) => formatEffect(effect, workspace))), ...payload];
}

function formatEffect(effect: Effect, workspace: string | null): string {
  const { kind } = effect;
  const isPath = kind === "read-path" || kind === "write-path" || kind === "delete-path";
  const shown = isPath ? { ...effect, target: relativePath(effect.target, workspace) } : effect;
  return `  - ${describeEffect(shown)} (${reversalWords[effect.reversal]})`;
}

/** A command is shown once: as its only program, or as its lines below the effects. A program whose words do not stand in these lines is listed too. */
function formatCommand(
  command: string,
  effects: readonly Effect[],
  workspace: string | null,
): readonly string[] {
  const format = (effect: Effect): string => formatEffect(effect, workspace);
  const programs = effects.filter((effect) => effect.kind === "run-program");
  const others = new Set(effects.filter((effect) => effect.kind !== "run-program").map(format));
  const [only] = programs;
  const isLine = !command.includes("\n");
  if (only !== undefined && programs.length === 1 && isLine && isWritten(only, command, "as-a-whole"))
    return [format(only), ...others];
  const [guarded, rest] = [true, false].map((is) => programs.filter((one) => isGuarded(one, command) === is));
  const unseen = (rest ?? []).filter((program) => !isWritten(program, command, "as-a-part")).map(format);
  const added = (guarded ?? []).length === 0 ? [] : [guardWords];
  return [...formatPrograms(programs), ...added, ...unseen, ...others, ...quoteLines(command)];
}

const guardWords =
  "    (git gets options that keep it from starting other programs and from showing secret files)";

/** Whether a git that only shows stands in a command, apart from the options that it gets added. */
function isGuarded({ argv, proof }: RunProgram, command: string): boolean {
  if (proof === null || argv[0] !== "git" || !argv.includes("--no-pager")) return false;
  return command.split(/[|;&\n]+/).some((piece) => {
    const [program, ...words] = piece.trim().split(/\s+/);
    let at = 0;
    const stand = words.every((word) => {
      at = argv.indexOf(word, at) + 1;
      return at > 0;
    });
    return program === "git" && words.length > 0 && stand;
  });
}

/** Whether the words of a program stand in a command as they are run, so that they need not be shown twice. */
function isWritten({ argv }: RunProgram, command: string, how: "as-a-whole" | "as-a-part"): boolean {
  if (argv.at(-1) === command) return how === "as-a-part";
  return [quoteWords(argv), argv.join(" ")].some((words) =>
    how === "as-a-whole" ? words === command : command.includes(words),
  );
}

/** That the command below is run, with the least protection that a program of it has. */
function formatPrograms(programs: readonly RunProgram[]): readonly string[] {
  if (programs.length === 0) return ["  - keep what the command below changed when it was tried:"];
  const where = programs.every(({ confined }) => confined) ? "sandboxed" : "WITHOUT a sandbox";
  const reversals = ["final", "compensable", "undoable"] as const;
  const reversal = reversals.find((one) => programs.some((program) => program.reversal === one)) ?? "final";
  return [`  - run the command below, ${where} (${reversalWords[reversal]})`];
}
