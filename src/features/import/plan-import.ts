import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { formatNote } from "../../act/files/org-note.ts";
import { sha256 } from "../../machine/digest.ts";
import type { Policy } from "../../settings/policy.ts";
import { resolveLinks } from "../../settings/user-folders.ts";
import type { Label } from "../../signal/label.ts";
import { describeError } from "../../text/describe-error.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { isInside } from "../../text/is-inside.ts";
import { disarmNewConstructs } from "../../text/later/disarm.ts";
import { type ForeignAgent, type ForeignName, foreignAgents } from "./foreign-agents.ts";
import { parseLoose, textOf, valueAt } from "./foreign-servers.ts";
import { readMarks, withMarks } from "./import-marks.ts";
import { type PlannedServers, planServers } from "./plan-servers.ts";
import {
  type ForeignFolder,
  type ForeignLeft,
  matchPaths,
  readForeignText,
  shownPath,
} from "./read-foreign.ts";

/** The words of others: nothing in them counts as the owner's. */
export const importedLabel: Label = { integrity: "untrusted", secrecy: "public", sources: [] };

/** A note that an import would write. `yours`: its owner changed it, so it stays. */
export type PlannedNote = {
  readonly source: string;
  readonly target: string;
  readonly text: string;
  readonly state: "new" | "same" | "newer" | "yours";
  /** Keys that were taken out of it. */
  readonly keys: number;
};

/** What was found, what would be written, and what is left. */
export type ImportPlan = PlannedServers & {
  readonly agent: ForeignName;
  readonly title: string;
  /** The folder of the agent. */
  readonly folder: string;
  readonly notes: readonly PlannedNote[];
  /** Files that say what a skill is. They stay where they are. */
  readonly skills: readonly string[];
  readonly left: readonly ForeignLeft[];
};

/** The folder of notes that an import writes into. */
export function importFolderOf(policy: Policy, agent: ForeignName): string {
  return join(policy.notesPlace.folder, "imported", agent);
}

/** Looks at what another agent kept. Null where it has no folder here. Writes nothing. */
export async function planImport(policy: Policy, agent: ForeignName): Promise<ImportPlan | null> {
  const foreign: ForeignAgent = foreignAgents[agent];
  const { home } = policy.config.places;
  const found = foreign.folders.map((name) => join(home, name)).find((path) => existsSync(path));
  if (found === undefined) return null;
  const { folder, problem } = await openForeignFolder(found, foreign, policy);
  const texts = foreign.texts
    .flatMap((pattern) => matchPaths(folder, pattern))
    .map((path) => readForeignText(folder, path));
  const jobs = await readJobs(folder, foreign);
  const servers = await planServers({ folder, foreign, agent, policy });
  const seen = new Set<string>();
  const notes = [...texts, ...jobs].flatMap((text) =>
    "why" in text || text.text.trim() === "" ? [] : [planNote({ agent, policy, seen, folder: found }, text)],
  );
  return {
    agent,
    title: foreign.title,
    folder: found,
    notes: notes.flatMap((note) => ("why" in note ? [] : [note])),
    ...servers,
    skills: foreign.skills.flatMap((pattern) => matchPaths(folder, pattern)),
    left: [
      ...(problem === null ? [] : [problem]),
      ...[...texts, ...jobs, ...notes, ...servers.left].flatMap((one) => ("why" in one ? [one] : [])),
      ...keyFiles(folder, foreign),
      ...foreign.leaves.flatMap(([path, why]) => (existsSync(join(found, path)) ? [{ path, why }] : [])),
    ],
  };
}

/** The folder of an agent, with what it may reach besides: its file beside the folder, and the workspace that its settings name inside the home folder. */
async function openForeignFolder(path: string, foreign: ForeignAgent, policy: Policy) {
  const { home } = policy.config.places;
  const real = realpathSync(path);
  const { isSecretPath } = policy;
  const besides = foreign.servers.map(({ file }) => resolve(path, file)).filter((file) => existsSync(file));
  const folder: ForeignFolder = {
    path: real,
    isSecretPath,
    also: besides.map(resolveLinks).filter((file) => isInside(home, file)),
  };
  if (foreign.workspace === undefined) return { folder, problem: null };
  const settings = readForeignText(folder, join(real, foreign.workspace.file));
  if ("why" in settings) return { folder, problem: null };
  const named = await workspaceIn(settings.text, foreign.workspace.keys);
  if (named === null) return { folder, problem: null };
  const workspace = resolveLinks(resolve(home, named.replace(/^~(?=\/|$)/, home)));
  const problem = { path: escapeInvisible(named), why: "its workspace is not inside your home folder" };
  if (!isInside(resolveLinks(home), workspace) || workspace === resolveLinks(home))
    return { folder, problem };
  return { folder: { ...folder, workspace, also: [...folder.also, workspace] }, problem: null };
}

async function workspaceIn(text: string, keys: readonly (readonly string[])[]): Promise<string | null> {
  try {
    const tree = await parseLoose(text);
    return keys.map((path) => textOf(valueAt(tree, path))).find((value) => value !== null) ?? null;
  } catch (error) {
    // What its settings say of servers is read again, and told then.
    if (error instanceof Error) return null;
    throw error;
  }
}

type FoundText = { readonly path: string; readonly text: string };

/** The jobs as one text, a paragraph each. */
async function readJobs(
  folder: ForeignFolder,
  foreign: ForeignAgent,
): Promise<readonly (FoundText | ForeignLeft)[]> {
  const read: (FoundText | ForeignLeft)[] = [];
  for (const { files, read: parse } of foreign.jobs)
    for (const path of matchPaths(folder, files)) {
      const text = readForeignText(folder, path);
      if ("why" in text) {
        read.push(text);
        continue;
      }
      try {
        const jobs = await parse(text.text);
        const lines = jobs.map(
          ({ name, when, what }) => `- ${name}: ${when}\n  ${what.replaceAll("\n", "\n  ")}`,
        );
        if (lines.length > 0)
          read.push({ path: text.path, text: `Nothing here runs these jobs.\n\n${lines.join("\n\n")}` });
      } catch (error) {
        read.push({ path: text.path, why: `it cannot be parsed: ${firstLine(describeError(error))}` });
      }
    }
  return read;
}

function firstLine(text: string): string {
  return escapeInvisible(text.split("\n", 1)[0] ?? "");
}

type NotePlace = {
  readonly agent: ForeignName;
  readonly policy: Policy;
  readonly seen: Set<string>;
  readonly folder: string;
};

function planNote(
  { agent, policy, seen, folder }: NotePlace,
  { path, text }: FoundText,
): PlannedNote | ForeignLeft {
  const source = escapeInvisible(join(basename(folder), path));
  const digest = sha256(text);
  const words = path.replace(/^workspace\//, "").replace(/\.(?:md|json|toml)$/i, "");
  const plain =
    words
      .replaceAll(/[^\w.]+/g, "-")
      .replace(/^[.-]+/, "")
      .slice(0, 80) || "text";
  const slug = seen.has(plain) ? `${plain}-${sha256(path).slice(0, 8)}` : plain;
  seen.add(slug);
  const target = join(importFolderOf(policy, agent), `${slug}.org`);
  if (!isInside(policy.notesPlace.folder, resolveLinks(target)))
    return { path, why: `${target} leads out of your notes folder` };
  const masked = policy.mask(text);
  const keys = masked === text ? 0 : policy.scan(text).length;
  const at = Date.now();
  const entry = formatNote({
    id: idFrom(`${agent}\n${path}`),
    text: `${source}\n${masked}`,
    label: importedLabel,
    at,
  });
  const title = `#+TITLE: ${basename(slug)} of ${foreignAgents[agent].title}\n\n`;
  const inert = disarmNewConstructs(target, "", title + entry);
  if (inert === null) return { path, why: "Emacs would run what stands in it, and it cannot be made inert" };
  const marked = withMarks(inert.text, { from: source, source: digest });
  return { source, target, text: marked, state: stateOf(target, digest), keys };
}

function stateOf(target: string, digest: string): PlannedNote["state"] {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return "new";
  const marks = found.isFile() ? readMarks(readFileSync(target, "utf8")) : null;
  if (marks === null || !marks.isUnchanged) return "yours";
  return marks.source === digest ? "same" : "newer";
}

/** An id that stays the same however often a text is imported. */
function idFrom(text: string): string {
  const hex = sha256(text);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** Files with keys, which are named and never opened. */
function keyFiles(folder: ForeignFolder, { keys }: ForeignAgent): readonly ForeignLeft[] {
  return keys
    .flatMap((pattern) => matchPaths(folder, pattern))
    .map((path) => ({
      path: shownPath(folder, path),
      why: "keys are not copied. Keep each that you need: passepartout vault set NAME",
    }));
}
