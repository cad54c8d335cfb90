import { z } from "zod";
import { isInside } from "../text/is-inside.ts";
import type { ReadSetting } from "./read-setting.ts";
import { settingTable } from "./setting-table.ts";
import { resolveLinks, resolveSetting, type UserFolders } from "./user-folders.ts";

/** What Emacs's variables set for every note: keyword lines, as `OrgVariables` of the package for Org has them. */
export type OrgSettings = readonly { readonly key: string; readonly value: string }[];

const schemas: Readonly<Record<string, z.ZodType<OrgSettings>>> = {
  ORG_TODO_KEYWORDS: z
    .string()
    .transform(readSequences)
    .refine((lines) => lines.length > 0 && lines.every(({ value }) => /[^\s|]/.test(value)), {
      error: "is not a list of TODO words such as TODO NEXT | DONE; WAITING | CANCELLED",
    }),
  ORG_TAG_ALIST: lines("TAGS"),
  ORG_LINK_ABBREV_ALIST: lines("LINK"),
  ORG_GLOBAL_PROPERTIES: lines("PROPERTY"),
  ORG_ARCHIVE_LOCATION: z
    .string()
    .refine((value) => value.includes("::"), "is not FILE::HEADING, such as %s_archive::")
    .transform((value) => [{ key: "ARCHIVE", value: value.trim() }]),
  ORG_PRIORITIES: z
    .string()
    .regex(/^\s*\w+\s+\w+\s+\w+\s*$/, "is not the highest, lowest and default priority, such as A C B")
    .transform((value) => [{ key: "PRIORITIES", value: value.trim() }]),
  ORG_STARTUP: lines("STARTUP"),
  ORG_LOG_DONE: z
    .string()
    .transform((value) => value.trim().toLowerCase())
    .refine((value) => logDone.has(value), "is not time, note or nil")
    .transform((value) => startup(logDone.get(value) ?? "nologdone")),
  ORG_LOG_INTO_DRAWER: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}_-]+$/u, "is not t, nil or the name of a drawer")
    .transform(readLogDrawer),
};

/** Reads the settings that are called as Emacs's variables are. */
export function readOrgSettings(read: ReadSetting): OrgSettings {
  return Object.entries(schemas).flatMap(([name, schema]) => read(name, { schema, fallback: [] }));
}

/**
 * The real paths of `ORG_AGENDA_FILES`, whose relative ones begin at the first notes folder. One that is in none of the notes folders is reported, since only notes are
 * on the agenda.
 */
export function readAgendaFiles(
  read: ReadSetting,
  { home, notes, otherNotes }: Pick<UserFolders, "home" | "notes" | "otherNotes">,
  problems: string[],
): readonly string[] {
  const named = read<readonly string[]>("ORG_AGENDA_FILES", settingTable.ORG_AGENDA_FILES);
  if (named.length === 0) return [];
  const folders = [notes, ...otherNotes].map(resolveLinks);
  return named.map((name) => {
    const path = resolveLinks(resolveSetting(name, { home, base: notes }));
    if (!folders.some((folder) => isInside(folder, path))) {
      problems.push(
        `ORG_AGENDA_FILES names ${name}, which is in no notes folder (${[notes, ...otherNotes].join(", ")}), so its entries are not on the agenda. Move it there, name its folder in MEMEX_DIR too, or take it out of the setting.`,
      );
    }
    return path;
  });
}

/** A setting whose value is what follows the keyword in a file; `; ` stands between the values of several lines. */
function lines(key: string) {
  return z.string().transform((text) =>
    text
      .split(/;(?:\s+|$)/)
      .map((value) => ({ key, value: value.trim() }))
      .filter(({ value }) => value !== ""),
  );
}

const lispSequence = /\(\s*(sequence|type)((?:\s*"[^"]*")+)\s*\)/g;

/** Sequences as `#+TODO:` lines have them, separated by `;`, or as the Lisp list of the variable. `type` before the words makes them types. */
function readSequences(text: string): OrgSettings {
  const isLisp = /^\s*'?\(/.test(text);
  const sequences = isLisp
    ? [...text.matchAll(lispSequence)].map(([, kind, words = ""]) => `${kind} ${words.replaceAll('"', " ")}`)
    : text.split(";");
  return sequences
    .map((sequence) => /^\s*(?:(sequence|type)(?=\s))?(.*)$/s.exec(sequence) ?? [])
    .map(([, kind, words = ""]) => ({ key: kind === "type" ? "TYP_TODO" : "TODO", value: words.trim() }))
    .filter(({ value }) => value !== "");
}

const logDone: ReadonlyMap<string, string> = new Map([
  ["time", "logdone"],
  ["t", "logdone"],
  ["note", "lognotedone"],
  ["nil", "nologdone"],
]);

/** The property is inherited by every entry, and names the drawer. */
function readLogDrawer(value: string): OrgSettings {
  const word = value.toLowerCase();
  if (/^(?:t|true|yes|1)$/.test(word)) return startup("logdrawer");
  if (/^(?:nil|false|no|0)$/.test(word)) return startup("nologdrawer");
  return [{ key: "PROPERTY", value: `LOG_INTO_DRAWER ${value}` }];
}

function startup(value: string): OrgSettings {
  return [{ key: "STARTUP", value }];
}
