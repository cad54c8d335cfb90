import type { FileKeyword } from "./file-keywords.ts";
import { type OrgVariables, withVariables } from "./org-variables.ts";
import type { FileSettings, TodoState } from "./outline.ts";
import { readTagGroups } from "./tag-groups.ts";

const space = /[ \t\n\f\r]+/;
const stateWithKeys = /^(.*?)(?:\(([^!@/])?.*?\))?$/;
const stateWithLog = /^.*?\([^!@/]?([!@])?(?:\/([!@]))?\)$/;
const property = /([^ \t\n\r\f]+)[ \t]+(.*)/;
const linkInQuotes = /^"(.+[^\\])"[ \t]+(.+)/;
const linkPlain = /^([^ \t\n\r\f]+)[ \t]+(.+)/;

/** What the keywords of a file and the variables set, as Emacs combines them. */
export function readSettings(keywords: readonly FileKeyword[], variables: OrgVariables = []): FileSettings {
  const counting = withVariables(keywords, variables);
  const all = (key: string) => counting.filter((one) => one.key === key).map(({ value }) => value);
  const words = (key: string) => all(key).flatMap(splitWords);
  const categories = keywords.filter(({ key }) => key === "CATEGORY");
  const category = (categories.findLast(({ inSetup }) => inSetup !== true) ?? categories[0])?.value ?? null;
  const properties = new Map<string, string>();
  for (const line of all("PROPERTY")) addProperty(properties, line);
  const titles = all("TITLE");
  return {
    todo: readTodo(all("TYP_TODO"), [...all("TODO"), ...all("SEQ_TODO")]),
    tags: words("FILETAGS").flatMap((word) => word.split(":").filter((tag) => tag !== "")),
    tagGroups: readTagGroups(all("TAGS")),
    properties,
    category,
    title: titles.length === 0 ? null : titles.join(" "),
    links: new Map(all("LINK").flatMap(readLink)),
    archive: all("ARCHIVE")[0] ?? null,
    startup: words("STARTUP"),
    dependsOn: words("DEPENDS_ON"),
    priorities: readPriorities(all("PRIORITIES")[0] ?? ""),
  };
}

function splitWords(value: string): string[] {
  return value.split(space).filter((word) => word !== "");
}

function addProperty(properties: Map<string, string>, line: string): void {
  const [, name, value = ""] = property.exec(line) ?? [];
  if (name === undefined) return;
  const key = name.toUpperCase();
  if (!key.endsWith("+")) {
    properties.set(key, value);
    return;
  }
  const base = key.slice(0, -1);
  const before = properties.get(base);
  properties.set(base, before === undefined ? value : `${before} ${value}`);
}

function readLink(line: string): [string, string][] {
  const [, name, target] = linkInQuotes.exec(line) ?? linkPlain.exec(line) ?? [];
  return name === undefined || target === undefined ? [] : [[name, target]];
}

function readPriorities(line: string): FileSettings["priorities"] {
  const [highest, lowest, middle] = splitWords(line);
  return highest === undefined || lowest === undefined || middle === undefined
    ? { highest: "A", lowest: "C", default: "B" }
    : { highest, lowest, default: middle };
}

function readTodo(types: readonly string[], sequences: readonly string[]): readonly TodoState[] {
  const lines = [
    ...types.map((line) => ({ kind: "type" as const, words: splitWords(line) })),
    ...sequences.map((line) => ({ kind: "sequence" as const, words: splitWords(line) })),
  ];
  if (lines.length === 0) lines.push({ kind: "sequence", words: ["TODO", "DONE"] });
  const states = lines.flatMap(({ kind, words }, sequence) => readSequence(words, kind, sequence));
  const last = states.at(-1);
  const anyDone = states.some(({ done }) => done) || last === undefined;
  return anyDone ? states : [...states.slice(0, -1), { ...last, done: true }];
}

function readSequence(
  words: readonly string[],
  kind: TodoState["kind"],
  sequence: number,
): readonly TodoState[] {
  const bar = words.indexOf("|");
  const firstDone = bar === -1 ? words.length - 1 : bar;
  return words
    .filter((word) => word !== "|")
    .map((written, at) => {
      // Only a word that ends in a bracket has keys. Searching other words would take quadratic time.
      const hasKeys = written.endsWith(")");
      const [, word = written, key] = (hasKeys ? stateWithKeys.exec(written) : null) ?? [];
      const [, enter, leave] = (hasKeys ? stateWithLog.exec(written) : null) ?? [];
      return {
        word,
        done: at >= firstDone,
        key: key ?? null,
        enter: readLog(enter),
        leave: readLog(leave),
        sequence,
        kind,
      };
    });
}

function readLog(mark: string | undefined): "note" | "time" | null {
  return mark === undefined ? null : mark === "!" ? "time" : "note";
}
