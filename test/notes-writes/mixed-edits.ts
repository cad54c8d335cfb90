import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../loopback-provider.ts";

/** One edit, and how it is known from the notes folder that it was made. */
export type MixedEdit = {
  readonly name: string;
  readonly tool: string;
  readonly args: object;
  /** How often what it brings stands in the notes; 1 where it was made. */
  readonly count: (folder: string) => number;
};

const fileNames = ["home.org", "work.org", "garden.org"];

/** How the last line of each file reads: it is there in every whole file. */
const last = "* The end of the file\n";

/** Makes the notes folder that is edited. */
export function makeNotes(folder: string, edits: number): void {
  mkdirSync(folder, { recursive: true });
  for (const name of fileNames) {
    const slots = Array.from({ length: edits }, (_, at) => `** TODO Slot ${at} of ${name}\n   text(${at})\n`);
    writeFileSync(join(folder, name), `#+TITLE: ${name}\n* Slots\n${slots.join("")}${last}`);
  }
}

/** The edit of a number: by operations of Org, by a passage, a whole new file, or a note in the inbox. */
export function mixedEdit(folder: string, at: number): MixedEdit {
  const name = `edit-${at}.`;
  const file = fileNames[at % fileNames.length] ?? "home.org";
  const path = join(folder, file);
  const inFile = (text: string) => (notes: string) => occurrences(join(notes, file), text);
  switch (at % 5) {
    case 0: {
      const operations = [
        { op: "todo", at: `Slot ${at} of ${file}`, state: "DONE" },
        { op: "put", at: `Slot ${at} of ${file}`, key: "EDIT", value: `by-${at}-` },
      ];
      return {
        name,
        tool: "edit-notes",
        args: { file, operations },
        count: inFile(`:EDIT:     by-${at}-\n`),
      };
    }
    case 1:
    case 2: {
      const args = { path, old: `text(${at})`, new: `text by ${at}-` };
      return { name, tool: "edit-file", args, count: inFile(`text by ${at}-\n`) };
    }
    case 3: {
      const content = wholeFile(at);
      const made = join(folder, `made-${at}.org`);
      return {
        name,
        tool: "write-file",
        args: { path: made, content },
        count: () => (existsSync(made) ? 1 : 0),
      };
    }
    default:
      return {
        name,
        tool: "remember",
        args: { text: `Note number ${at} to keep` },
        count: (notes) => occurrences(join(notes, "inbox.org"), `* Note number ${at} to keep\n`),
      };
  }
}

/** A model that proposes the edits: the call, and a word once its result is there; the same as often as it is asked. */
export function modelFor(edits: readonly MixedEdit[]): readonly Step[] {
  const explanation = "The owner asked for exactly this";
  return edits.flatMap(({ name, tool, args }): readonly Step[] => [
    { when: `call-${name}`, repeat: true, text: "Done." },
    {
      when: name,
      repeat: true,
      calls: [{ id: `call-${name}`, name: tool, arguments: { ...args, explanation } }],
    },
  ]);
}

/** What is not whole in the notes folder, in words; lock files aside. */
export function brokenFiles(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith(".#")) return [];
    if (name.startsWith(".passepartout-")) return [`${name} was left behind`];
    const text = readFileSync(join(folder, name), "utf8");
    const number = /^made-(\d+)\.org$/.exec(name)?.[1];
    if (number !== undefined) return text === wholeFile(Number(number)) ? [] : [`${name} is not whole`];
    if (name === "inbox.org") return text.endsWith("\n") ? [] : ["inbox.org is not whole"];
    if (!fileNames.includes(name)) return [`${name} was left behind`];
    const slots = [...text.matchAll(/^\*\* (?:TODO|DONE) Slot \d+ of /gm)].length;
    const wanted = [...text.matchAll(/^ +text(?:\(\d+\)| by \d+-)$/gm)].length;
    return text.endsWith(last) && slots === wanted && slots > 0 ? [] : [`${name} is not whole`];
  });
}

function wholeFile(at: number): string {
  return `* Made by ${at}\n${"A line of some length, so that half of it would show.\n".repeat(200)}* End of ${at}\n`;
}

function occurrences(path: string, text: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split(text).length - 1 : 0;
}
