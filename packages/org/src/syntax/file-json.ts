import { type OutlineEntry, readEntries } from "../outline/entries.ts";
import { withInlineTasks } from "../outline/scan-inline-tasks.ts";
import { scanOutline } from "../outline/scan-outline.ts";
import type { OrgText } from "../text/org-text.ts";
import { type JsonOptions, offsetsIn, quoteJson, treeToJson } from "./to-json.ts";
import { type ParseOptions, parseOrg } from "./tree.ts";

/** Which Org the trees follow. */
const followedOrg = "9.8.9";

/** How a file is printed. Without `entries`, what Emacs's commands make of each headline is left out. */
export type FileJsonOptions = JsonOptions & ParseOptions & { readonly entries?: boolean };

/** A file as one line of JSON, in pieces, in the form that a batch Emacs prints; `file` is the name that it is given. */
export function* fileToJson(
  file: string,
  { text, eol, bom }: OrgText,
  form: FileJsonOptions,
): Generator<string> {
  const outline = scanOutline(text, form);
  const { todo, tags } = outline.settings;
  const units = form.units ?? "utf16";
  const head = {
    file,
    org: followedOrg,
    units,
    chars: offsetsIn(text, "char")(text.length),
    eol,
    bom,
    todoKeywords: todo.map(({ word }) => word),
    doneKeywords: todo.filter(({ done }) => done).map(({ word }) => word),
    filetags: tags,
  };
  yield `${quoteJson(head).slice(0, -1)},"ast":`;
  yield* treeToJson(text, parseOrg(text, form), form);
  if (form.entries ?? true) {
    const offset = offsetsIn(text, units);
    const entries = readEntries(form.inlineTasks ? withInlineTasks(outline) : outline, categoryOf(file));
    for (const [index, entry] of entries.entries())
      yield `${index === 0 ? ',"entries":[' : ","}${entryJson(entry, offset)}`;
    yield entries.length === 0 ? ',"entries":[]' : "]";
  }
  yield "}\n";
}

function entryJson(entry: OutlineEntry, offset: (at: number) => number): string {
  return quoteJson({
    ...entry,
    begin: offset(entry.begin),
    properties: Object.fromEntries(entry.properties),
  });
}

/** The category of a file that names none: its name without folder and ending. */
function categoryOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
