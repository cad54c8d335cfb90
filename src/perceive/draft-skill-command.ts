/** Has a model draft a skill of this name from a sentence. Nothing of it is in force. */
export type DraftSkill = { readonly kind: "draft-skill"; readonly name: string; readonly sentence: string };

/** Reads what stands behind `/skill`: `list`, or `new NAME WORDS`, the words with quotes or without. */
export function draftSkillCommand(rest: string): DraftSkill | { readonly kind: "skill" } | null {
  if (rest.trim().toLowerCase() === "list") return { kind: "skill" };
  const [, name = "", words = ""] = /^new\s+(\S+)\s+(\S.*)$/i.exec(rest.trim()) ?? [];
  const sentence = /^(["'])(.*)\1$/.exec(words)?.[2] ?? words;
  return sentence.trim() === "" ? null : { kind: "draft-skill", name, sentence };
}
