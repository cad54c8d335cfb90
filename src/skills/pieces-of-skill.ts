import { createHash } from "node:crypto";
import { readSkillFile } from "./read-skill-file.ts";

/** A piece with fewer characters says too little to be known again. */
const shortest = 16;
const shortestLine = 24;

/** The hashes by which a skill's text is known again where it is copied: of the whole file, and of each thing in it that counts. */
export function piecesOfSkill(file: string, text: string): readonly string[] {
  const read = readSkillFile(file, text);
  if (!read.ok) return [digestOf(text)];
  const { head, code } = read;
  const tests = code.tests.map((test) => test.code);
  const told = [head.prompt, head.job?.text ?? "", ...head.mandates];
  const pieces = [...code.blocks, ...tests, ...told]
    .map((piece) => piece.trim())
    .filter((piece) => piece.length >= shortest);
  return [...new Set([digestOf(text), ...pieces.map(digestOf)])];
}

/** The hashes of the lines of its code that say enough to be known again, where somebody changed what stands around them. */
export function linesOfSkill(file: string, text: string): readonly string[] {
  const read = readSkillFile(file, text);
  const blocks = read.ok ? [...read.code.blocks, ...read.code.tests.map((test) => test.code)] : [];
  const lines = blocks.flatMap((block) => block.split("\n")).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line.length >= shortestLine).map(digestOf))];
}

/** The SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
