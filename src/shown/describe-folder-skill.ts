import type { FolderSkill } from "../signal/skill.ts";
import { escapeInvisible, quoteLines } from "../text/escape-invisible.ts";
import { cloneWords } from "./describe-skill.ts";

/** All that the owner has to know before a yes: what it says, what it allows, what it holds, and its digest. */
export function describeFolderSkill(skill: FolderSkill): readonly string[] {
  return [...describeFolderHead(skill), "It says:", ...quoteLines(skill.body)];
}

/** What an owner licenses who lets a model read words of others as instructions. */
const usedWords =
  "a model may follow its words in what it writes into your workspace, without a question; /undo takes that back. What goes further asks you, and the question names the skill";

/** The same without its instructions. */
export function describeFolderHead(skill: FolderSkill): readonly string[] {
  const { description, license, compatibility, allowedTools, otherKeys, remarks, files, isClone } = skill;
  const parts: readonly (readonly [string, string | null])[] = [
    ["description", description],
    ["license", license],
    ["needs", compatibility],
    ["allowed tools", allowedTools === null ? null : allowedTools.join(" ") || "none"],
    ["keys that are ignored", otherKeys.join(", ")],
    ["note", [...remarks, ...(isClone ? [cloneWords] : [])].join("; ")],
    ["files", files.map(({ path, size }) => `${path} (${size} bytes)`).join(", ")],
    ["digest", skill.digest],
    ["once it is used", usedWords],
  ];
  return parts.flatMap(([what, value]) =>
    value === null || value === "" ? [] : [`${what}: ${escapeInvisible(value)}`],
  );
}
