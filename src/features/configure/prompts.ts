import { Readable, Writable } from "node:stream";
import * as clack from "@clack/prompts";
import type { Io } from "../../kernel/io.ts";
import { UsageError } from "../../program/io.ts";
import { greatest } from "../../text/lists.ts";
import { layOutLine } from "../../text/text-rows.ts";
import { makeVisible } from "../../text/visible.ts";

/** The person left, by Esc or Ctrl-C. */
export class SetupCancelled extends Error {
  override readonly name = "SetupCancelled";
}

export type Choice<T> = {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
};

/** Why an input is not taken; undefined where it is. */
type Validate = (text: string) => string | undefined;

/** Questions on a terminal. Each throws `SetupCancelled` when the person leaves. All text from outside is made visible first. */
export type Prompts = {
  readonly begin: (title: string) => void;
  readonly end: (text: string) => void;
  readonly say: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly show: (title: string, lines: readonly string[]) => void;
  /** Enter alone takes `initial`, else the first. */
  readonly choose: <T>(message: string, choices: readonly Choice<T>[], initial?: T) => Promise<T>;
  /** A line of text; Enter alone takes `initial`. */
  readonly line: (message: string, initial: string, validate?: Validate) => Promise<string>;
  /** What is typed as it is, and not shown. */
  readonly hidden: (message: string, validate?: Validate) => Promise<string>;
  readonly agree: (message: string) => Promise<boolean>;
};

/** More choices than this are searched by typing. */
const mostInList = 12;
/** Columns of the labels, beside which the hints stand. */
const widestLabel = 40;

/** Opens the questions. Throws a `UsageError` where nobody can answer. */
export function openPrompts({ input, output }: Io): Prompts {
  if (!(input instanceof Readable) || !(output instanceof Writable) || !("isTTY" in input && input.isTTY))
    throw new UsageError(noTerminal);
  const common = { input, output };
  clack.updateSettings({ messages: { cancel: "Left.", error: "It did not work." } });
  return {
    begin: (title) => clack.intro(makeVisible(title), common),
    end: (text) => clack.outro(makeVisible(text), common),
    say: (text) => clack.log.step(layOut(text, output), common),
    warn: (text) => clack.log.warn(layOut(text, output), common),
    show: (title, lines) =>
      clack.note(makeVisible(lines.join("\n")), title, { ...common, format: (line) => line }),
    choose: (message, choices, initial) => choose(common, { message, choices, initial }),
    line: async (message, initial, validate) =>
      answered(
        await clack.text({
          ...common,
          message,
          placeholder: initial,
          defaultValue: initial,
          validate: (text) => validate?.((text ?? "").trim() || initial),
        }),
      ).trim(),
    hidden: async (message, validate) =>
      answered(await clack.password({ ...common, message, validate: (text) => validate?.(text ?? "") })),
    agree: async (message) => answered(await clack.confirm({ ...common, message })),
  };
}

/** Columns of the sign and the line before each row. */
const margin = 3;

/** A text as rows that are broken at blanks: the library leaves that to the terminal, which breaks words. */
function layOut(text: string, output: Writable): string {
  const columns = "columns" in output && typeof output.columns === "number" ? output.columns - margin : null;
  const rows = makeVisible(text)
    .split("\n")
    .flatMap((line) => layOutLine(line, { first: "", rest: "", columns }));
  return rows.map((row) => row.trimEnd()).join("\n");
}

const noTerminal =
  "setup asks questions, which needs a terminal. In a script: passepartout setup --non-interactive --provider NAME. Add --help for all options.";

async function choose<T>(
  common: { readonly input: Readable; readonly output: Writable },
  asked: {
    readonly message: string;
    readonly choices: readonly Choice<T>[];
    readonly initial: T | undefined;
  },
): Promise<T> {
  const { message, choices, initial } = asked;
  const width = Math.min(widestLabel, greatest(choices.map(({ label }) => label.length)));
  const options = choices.map(({ label, hint }, index) => ({
    value: index,
    label: makeVisible(hint === undefined ? label : `${label.padEnd(width)}  ${hint}`),
  }));
  const initialValue = Math.max(
    0,
    choices.findIndex(({ value }) => value === initial),
  );
  const given = { ...common, message, options, maxItems: mostInList, initialValue };
  const index = answered(
    choices.length > mostInList
      ? await clack.autocomplete({ ...given, placeholder: "type to search" })
      : await clack.select(given),
  );
  const chosen = choices[index];
  if (chosen === undefined) throw new SetupCancelled();
  return chosen.value;
}

function answered<T>(value: T | typeof clack.CANCEL_SYMBOL): T {
  if (clack.isCancel(value)) throw new SetupCancelled();
  return value;
}
