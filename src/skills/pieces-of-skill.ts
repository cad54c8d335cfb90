import { sha256 } from "../machine/digest.ts";
import { largestSkill, readParts } from "./read-skill-file.ts";

/** A piece with fewer characters says too little to be known again. */
const shortest = 16;
const shortestLine = 24;

/** The hashes by which a skill's text is known again where it is copied. */
export type SkillPieces = {
  /** Of the whole file, and of each thing in it that counts. */
  readonly whole: readonly string[];
  /** Of the lines of its code that say enough to be known again, where somebody changed what stands around them. */
  readonly lines: readonly string[];
};

/** The pieces of a skill's file, whatever is wrong with it. */
export function piecesOfSkill(file: string, text: string): SkillPieces {
  if (text.length > largestSkill) return { whole: [sha256(text)], lines: [] };
  const { head, code } = readParts(file, text);
  const blocks = [...code.blocks, ...code.tests.map((test) => test.code)];
  const told = [head.prompt, head.job?.text ?? "", ...head.mandates];
  return {
    whole: [...new Set([sha256(text), ...digestsOf([...blocks, ...told], shortest)])],
    lines: [
      ...new Set(
        digestsOf(
          blocks.flatMap((block) => block.split("\n")),
          shortestLine,
        ),
      ),
    ],
  };
}

function digestsOf(texts: readonly string[], least: number): readonly string[] {
  return texts
    .map((text) => text.trim())
    .filter((text) => text.length >= least)
    .map(sha256);
}
