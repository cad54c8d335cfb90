import { pushAll } from "../../text/lists.ts";
import type { Pipeline, ShellProgram, SimpleCommand } from "./program.ts";
import {
  asScript,
  scriptOf,
  startedByFind,
  throughShell,
  timedCommand,
  unwrapWords,
} from "./programs/unwrap-words.ts";

/** Builtins and keywords: only a shell can run them, or they change only the shell that runs them. */
const shellBuiltins: ReadonlySet<string> = new Set(
  (
    ". : alias bg bind break builtin caller case cd compgen complete compopt continue coproc declare dirs disown do done " +
    "elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in jobs let local " +
    "logout mapfile popd pushd read readarray readonly return select set shift shopt source suspend then time times trap " +
    "typeset ulimit umask unalias unset until wait while { } ! [["
  ).split(" "),
);

/** Reads the text of an inner shell as a line of its own. */
export type ReadText = (text: string) => ShellProgram;

/** How many shells inside of each other are read. */
const deepest = 32;

/**
 * A line without the shells that only pass a text on: `bash -c 'ls'`, `eval ls`, `command ls` and `exec ls` become `ls`, so that the same
 * command has the same verdict, and runs without them. A text that is no line of plain commands stays as it is, and asks.
 */
export function unwrapProgram(program: ShellProgram, read: ReadText, depth = 0): ShellProgram {
  if (program.kind === "opaque") return program;
  if (depth > deepest) return { kind: "opaque", reason: "it has too many shells inside of each other" };
  const inner: ReadText = (text) => unwrapProgram(read(text), read, depth + 1);
  const pipelines: Pipeline[] = [];
  for (const [index, pipeline] of program.pipelines.entries()) {
    const place = {
      isFirst: (pipelines.at(-1)?.next ?? ";") === ";",
      isLast: index === program.pipelines.length - 1,
    };
    const found = unwrapPipeline(pipeline, place, inner);
    if (typeof found === "string") return { kind: "opaque", reason: found };
    pushAll(pipelines, found);
  }
  return { kind: "plain", pipelines };
}

/** Whether a pipeline begins a list (`a; …`), and whether it ends the line. */
type Place = { readonly isFirst: boolean; readonly isLast: boolean };

function unwrapPipeline(pipeline: Pipeline, place: Place, read: ReadText): readonly Pipeline[] | string {
  const { commands, negated, next } = pipeline;
  const isAlone = commands.length === 1;
  const joined: SimpleCommand[] = [];
  for (const given of commands) {
    const command = withoutShellWords(given, { isAlone, endsLine: isAlone && place.isLast });
    if (typeof command === "string") return command;
    const passed = textOf(command);
    const program = passed === null ? null : read(passed.text);
    if (command.argv[0] === "eval" && program?.kind !== "plain")
      return program?.reason ?? "eval is a builtin of the shell";
    if (passed === null || program?.kind !== "plain") {
      joined.push(command);
      continue;
    }
    const [only, ...more] = program.pipelines;
    const replaced = only === undefined || more.length > 0 ? null : replace(command, only, passed.prefix);
    if (replaced !== null && isAlone) return [{ ...replaced, negated: negated !== replaced.negated, next }];
    if (replaced !== null && !replaced.negated) pushAll(joined, replaced.commands);
    else if (isAlone && place.isFirst && !negated && passed.prefix?.length === 0 && isBare(command))
      return program.pipelines.map((part, at, all) => (at === all.length - 1 ? { ...part, next } : part));
    else if (command.argv[0] === "eval") return "eval is a builtin of the shell";
    else joined.push({ ...command, inside: program.pipelines.flatMap(allCommands) });
  }
  return [{ ...pipeline, commands: joined }];
}

function allCommands({ commands }: Pipeline): readonly SimpleCommand[] {
  return commands.flatMap((command) => [command, ...(command.inside ?? [])]);
}

/** The pipeline of a text in the place of the command that runs it; null where only that command can run it. */
function replace(command: SimpleCommand, text: Pipeline, prefix: readonly string[] | null): Pipeline | null {
  const [only, ...more] = text.commands;
  if (prefix === null || only === undefined) return null;
  if (more.length > 0) return prefix.length === 0 && isBare(command) ? text : null;
  if (prefix.length > 0 && (text.negated || !isBare(only) || only.inside !== undefined)) return null;
  const moved = withArgv(only, [...prefix, ...only.argv], prefix.length);
  const assignments = [...command.assignments, ...only.assignments];
  const redirects = [...command.redirects, ...only.redirects];
  return { ...text, commands: [{ ...moved, assignments, redirects }] };
}

function isBare({ assignments, redirects }: SimpleCommand): boolean {
  return assignments.length === 0 && redirects.length === 0;
}

/** A text for a shell, and the words before that shell; null where what runs the text does more than start it. */
type Text = { readonly text: string; readonly prefix: readonly string[] | null };

function textOf({ argv, globs }: SimpleCommand): Text | null {
  if (globs !== undefined) return null;
  if (argv[0] === "eval") {
    const text = argv.slice(1).join(" ");
    return /\bexec\b/.test(text) ? null : { text, prefix: [] };
  }
  const found = shellText(argv);
  if (found !== null) return found;
  const text =
    scriptOf(argv) ??
    startedByFind(argv)
      .map(scriptOf)
      .find((script) => script !== null) ??
    null;
  return text === null ? null : { text, prefix: null };
}

/** What a plain POSIX shell reads in another way than bash. */
const onlyBash = /\$'|&>|\|&|<<<|\[\[|>&/;

/** The text of a shell that does nothing else, behind programs that only start it. */
function shellText(argv: readonly string[]): Text | null {
  for (let at = 0; ; ) {
    const words = argv.slice(at);
    const inner = unwrapWords(words);
    // A shell would take the words that are added as its own, and not as those of the command in its text.
    if (inner?.wrapper.addsWords === true) return null;
    if (inner !== null && inner.doubt === null && inner.text === null) {
      at += inner.start;
      continue;
    }
    const [shell = "", ...args] = words;
    const end = args.findIndex((word) => !/^--(?:noprofile|norc)$/.test(word));
    const text = args[end + 1];
    const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da)?sh$/.test(shell);
    if (!isShell || args[end] !== "-c" || text === undefined || text.startsWith("-")) return null;
    if (!shell.endsWith("bash") && onlyBash.test(text)) return null;
    return timedCommand(words) === null ? { text, prefix: argv.slice(0, at) } : null;
  }
}

/** Without the words of the shell that start what stands behind them; or why the line stays with the shell. */
function withoutShellWords(
  command: SimpleCommand,
  place: { readonly isAlone: boolean; readonly endsLine: boolean },
): SimpleCommand | string {
  const [word = "", ...args] = command.argv;
  const isStarter = word === "command" && args[0] !== "-v" && args[0] !== "-V";
  if (isStarter || (word === "exec" && place.endsLine)) {
    if (args[0] === undefined || args[0].startsWith("-") || (command.globs ?? []).some(({ at }) => at === 1))
      return `${word} is a builtin of the shell`;
    return withoutShellWords(withArgv(command, args, -1), place);
  }
  if (word === "time" && place.isAlone) {
    const own = args[0] === "-p" ? 2 : 1;
    if (command.argv[own] === undefined || command.argv[own]?.startsWith("-") === true)
      return "time is a builtin of the shell";
    const timed = withoutShellWords(withArgv(command, command.argv.slice(own), -own), {
      isAlone: true,
      endsLine: false,
    });
    if (typeof timed === "string" || timed.globs?.some(({ at }) => at < 1) === true)
      return "time is a builtin of the shell";
    const isEval = timed.argv[0] === "eval" && timed.globs === undefined;
    if (timed.argv[0] === "eval" && !isEval) return "time is a builtin of the shell";
    const started = isEval ? inBash(timed.argv.slice(1).join(" ")) : timed.argv;
    const argv = throughShell("time", started, own === 2 ? " -p" : "");
    return withArgv(timed, argv, argv.length - timed.argv.length);
  }
  return word !== "eval" && shellBuiltins.has(word) ? `${word} is a builtin of the shell` : command;
}

function inBash(text: string): readonly string[] {
  return asScript(text);
}

function withArgv(command: SimpleCommand, argv: readonly string[], shift: number): SimpleCommand {
  const globs = command.globs?.map(({ at, pattern }) => ({ at: at + shift, pattern }));
  return { ...command, argv, ...(globs === undefined ? {} : { globs }) };
}
