import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const programmingLiterate: BuiltInSkill = {
  ...everyTurn,
  name: "programming-literate",
  does: "tangles the source blocks of Org files into the files that they name, and finds files that were changed since",
  trigger: {
    words: "tangle tangled tangles tangling detangle literate noweb babel drift drifted".split(" "),
  },
  prompt:
    "What an Org file tangles is changed in its source blocks, and then tangled; with check, tangle only says which files differ.",
  tools: ["tangle"],
  effects: ["read-path", "write-path"],
  cost: "the declaration of its tool where tangling is spoken of",
  test: "src/act/tools/code/tangle.test.ts › tangle writes each file with the effects of an edit, and again once its source is newer",
};
