/** Has a model draft a skill of this name from a sentence. Nothing of it is in force. */
export type DraftSkill = { readonly kind: "draft-skill"; readonly name: string; readonly sentence: string };

/** Shows a skill, or checks it as it is now and runs its tests: all of the owner's where the name is empty. */
export type InspectSkill = {
  readonly kind: "inspect-skill";
  readonly verb: "show" | "test";
  readonly name: string;
};

/** Reads what stands behind `/skill`: `list`, `reload`, `show NAME`, `test NAME`, or `new NAME WORDS`, the words with quotes or without. */
export function skillCommand(rest: string): DraftSkill | InspectSkill | { readonly kind: "skill" } | null {
  const [verb = "", name = "", ...others] = rest.trim().split(/\s+/);
  switch (verb.toLowerCase()) {
    case "list":
    case "reload":
      return name === "" ? { kind: "skill" } : null;
    case "show":
      return name !== "" && others.length === 0 ? { kind: "inspect-skill", verb: "show", name } : null;
    case "test":
      return others.length === 0 ? { kind: "inspect-skill", verb: "test", name } : null;
    default:
      return draftOf(rest);
  }
}

function draftOf(rest: string): DraftSkill | null {
  const [, name = "", words = ""] = /^new\s+(\S+)(?:\s+(\S.*))?$/i.exec(rest.trim()) ?? [];
  const sentence = /^(["'])(.*)\1$/.exec(words)?.[2] ?? words;
  return name === "" ? null : { kind: "draft-skill", name, sentence };
}
