import {
  type ArgumentSpec,
  type CommandSpec,
  type OptionSpec,
  optionsOf,
  type VerbSpec,
} from "./command-spec.ts";

/** How a command is called: a line for each group of verbs that take the same options. */
export function synopsisOf(command: CommandSpec): readonly string[] {
  const { name, synopsis, parts, verbs = [] } = command;
  if (synopsis !== undefined) return synopsis;
  if (parts !== undefined) return parts.flatMap(synopsisOf);
  const groups =
    verbs.length === 0
      ? [[formsOf(command.arguments), optionForms(command, null)]]
      : [...groupVerbs(command)].map(([options, group]) => [
          group.map((verb) => verbForm(verb, command.usualVerb)).join(" | "),
          options,
        ]);
  return groups.map((words) => ["passepartout", name, ...words].filter((word) => word !== "").join(" "));
}

/** Verbs by the options that they take. */
function groupVerbs(command: CommandSpec): ReadonlyMap<string, readonly VerbSpec[]> {
  return Map.groupBy(command.verbs ?? [], ({ name }) => optionForms(command, name));
}

function verbForm({ name, arguments: taken }: VerbSpec, usual: string | undefined): string {
  return name === usual ? `[${name}]` : [name, formsOf(taken)].filter((word) => word !== "").join(" ");
}

/** How arguments stand in a synopsis. */
export function formsOf(taken: readonly ArgumentSpec[] = []): string {
  return taken.map(({ form }) => form).join(" ");
}

/** How the options of a verb stand in a synopsis: those that exclude each other between the same brackets. */
function optionForms(command: CommandSpec, verb: string | null): string {
  const options = optionsOf(command, verb);
  const partners = new Map(
    (command.either ?? []).flatMap((group) => group.map((name) => [name, group] as const)),
  );
  const done = new Set<string>();
  const form = (name: string, option: OptionSpec): string => {
    done.add(name);
    const beside = options.filter(([, { beside: host }]) => host?.length === 1 && host[0] === name);
    return [optionForm(name, option), ...beside.map((inner) => `[${form(...inner)}]`)].join(" ");
  };
  const forms = options.flatMap(([name, option]) => {
    if (done.has(name) || option.beside?.length === 1) return [];
    const group = options.filter(([other]) => other === name || partners.get(name)?.includes(other));
    return [`[${group.map((each) => form(...each)).join(" | ")}]`];
  });
  return forms.join(" ");
}

/** An option with what stands for its value: `--lines N`. */
export function optionForm(name: string, { value }: OptionSpec): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
