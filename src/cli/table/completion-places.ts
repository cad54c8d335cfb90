import { type CommandSpec, optionsOf, type ValueKind } from "../../text/command-spec.ts";
import { commandTable } from "./command-table.ts";

/** What a shell offers: the words that may stand at a place, with their help. */
export type Offer = { readonly name: string; readonly help: string };

/** What a value is: a kind, words to choose from, or anything. */
export type OfferedKind = ValueKind | "anything";

/** How far a command line is: behind these words, what may come. `key` is empty before the command, else `config`, `config set`, `org parse`. */
export type Place = {
  readonly key: string;
  /** Commands, verbs, or the second words of a command. */
  readonly next: readonly Offer[];
  /** `kind` is null for an option without a value. */
  readonly options: readonly (Offer & { readonly kind: OfferedKind | null })[];
  /** What each word is; the last stands for all further ones where `isOpen`. */
  readonly words: readonly OfferedKind[];
  readonly isOpen: boolean;
};

/** Every place of a command line, from the table. */
export function completionPlaces(): readonly Place[] {
  const named = commandTable.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ ...command, name })),
  );
  const conversation = commandTable.find(({ name }) => name === "tui");
  const start: Place = {
    key: "",
    next: named.map(({ name, summary }) => ({ name, help: summary })),
    options: [
      ...(conversation === undefined ? [] : offeredOptions(conversation, null)),
      { name: "--version", help: "prints the version", kind: null },
    ],
    words: [],
    isOpen: false,
  };
  return [start, ...named.flatMap(placesOf)];
}

function placesOf(command: CommandSpec): readonly Place[] {
  const { name, verbs = [], parts = [] } = command;
  const first: Place = {
    key: name,
    next: [
      ...verbs.map((verb) => ({ name: verb.name, help: verb.help })),
      ...parts.map((part) => ({ name: part.name.slice(name.length + 1), help: part.summary })),
    ],
    options: offeredOptions(command, null).filter(
      (option) => command.options[option.name.slice(2)]?.verbs === undefined,
    ),
    ...offeredWords(command.arguments),
  };
  const inner = verbs.map((verb) => ({
    key: `${name} ${verb.name}`,
    next: [],
    options: offeredOptions(command, verb.name),
    ...offeredWords(verb.arguments),
  }));
  return [first, ...inner, ...parts.flatMap(placesOf)];
}

function offeredOptions(command: CommandSpec, verb: string | null): Place["options"] {
  const options = optionsOf(command, verb).map(([name, { type, help, values }]) => ({
    name: `--${name}`,
    help,
    kind: type === "boolean" ? null : (values ?? ("anything" as const)),
  }));
  return [...options, { name: "--help", help: "explains each option", kind: null }];
}

function offeredWords(taken: CommandSpec["arguments"] = []): Pick<Place, "words" | "isOpen"> {
  return {
    words: taken.map(({ values }) => values ?? "anything"),
    isOpen: taken.some(({ form, words }) => words === true || form.includes("…")),
  };
}

/** A kind as a script knows it: its name, or `=` and the words to choose from. */
export function kindWord(kind: OfferedKind): string {
  return typeof kind === "string" ? kind : `=${kind.join(" ")}`;
}
