/** What a value can be completed with: names of files or folders, names of sessions (or what names any session), settings, or one of some words. */
export type ValueKind = "file" | "folder" | "session" | "any-session" | "setting" | readonly string[];

/** An option of a command, as `parseArgs` of Node takes it, with what a person is told of it. */
export type OptionSpec = {
  readonly type: "boolean" | "string";
  readonly help: string;
  readonly short?: string;
  readonly multiple?: true;
  readonly default?: string | boolean;
  /** What stands for the value in a synopsis, such as `FILE`; every option with a value has it. */
  readonly value?: string;
  readonly values?: ValueKind;
  /** The verbs that take the option; without it all do. */
  readonly verbs?: readonly string[];
  /** Options of which one has to stand beside it. */
  readonly beside?: readonly string[];
};

/**
 * An argument: its form is `FILE`, `[FILE]` where it may be left out, with `…` where there may be several. `words`: all that follows is one text.
 * `called` is what it is in words, for who left it out.
 */
export type ArgumentSpec = {
  readonly form: string;
  readonly called?: string;
  readonly values?: ValueKind;
  readonly words?: true;
};

/** The first word of a command that does several things. */
export type VerbSpec = {
  readonly name: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly help: string;
};

/** A command of the command line: what its parser takes, and all that help, pages and shells tell of it. */
export type CommandSpec = {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What it does, in the list of all commands. */
  readonly summary: string;
  /** What it does, in its own help: lines below the synopsis. */
  readonly about: readonly string[];
  /** A synopsis that cannot be made of the rest. */
  readonly synopsis?: readonly string[];
  readonly verbs?: readonly VerbSpec[];
  /** The verb where none is given. */
  readonly usualVerb?: string;
  readonly arguments?: readonly ArgumentSpec[];
  /** What to do in place of giving a surplus argument. */
  readonly surplus?: string;
  readonly options: { readonly [name: string]: OptionSpec };
  /** Options that exclude each other. */
  readonly either?: readonly (readonly string[])[];
  /** What else is to be known: lines below the options. */
  readonly notes?: readonly string[];
  /** What each exit code means; 2 is wrong usage where it says nothing else. */
  readonly exit: { readonly [code: number]: string };
  /** Commands of two words that begin with this one. */
  readonly parts?: readonly CommandSpec[];
};

/** An option without a value. */
export function flag(help: string) {
  return { type: "boolean", default: false, help } as const;
}

/** An option with a value. */
export function valued(value: string, help: string) {
  return { type: "string", value, help } as const;
}

/** The options that a verb of a command takes; all of them for a command without verbs. */
export function optionsOf(
  { options }: CommandSpec,
  verb: string | null,
): readonly (readonly [name: string, option: OptionSpec])[] {
  return Object.entries(options).filter(
    ([, { verbs }]) => verbs === undefined || verb === null || verbs.includes(verb),
  );
}
