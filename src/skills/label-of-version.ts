import { bottomLabel, joinAll, type Label } from "../signal/label.ts";
import { isOwnSkill, isOwnText, labelOfSkill } from "../signal/label-of-skill.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { piecesOfSkill, type SkillPieces } from "./pieces-of-skill.ts";

/** The label of what is known of texts with these hashes; the owner's own public label where nothing is. */
export type LabelPieces = (pieces: readonly string[]) => Promise<Label>;

/** A version of a skill's file. */
export type SkillText = { readonly file: string; readonly text: string };

/**
 * The label of what a version was made from. What stood in the accepted version keeps that version's label, so that a change of one line takes nothing off; what is new has the label of
 * where it is known from: a model that read words of others, a file that was written from them, or another skill that is not the owner's own. Undefined where all of it is theirs.
 */
export async function labelOfVersion(
  { file, text }: SkillText,
  accepted: readonly AcceptedSkill[],
  labelPieces: LabelPieces,
): Promise<Label | undefined> {
  const name = file.replace(/\.org$/, "");
  const before = accepted.find(({ head }) => head.name === name);
  const pieces = piecesOfSkill(file, text);
  const added = newIn(pieces, before?.text === undefined ? null : piecesOfSkill(file, before.text));
  const newWhole = new Set(pieces.whole.filter((piece) => added.includes(piece)));
  const copied = accepted.filter(
    (skill) => skill !== before && !isOwnSkill(skill) && sharesPiece(skill, newWhole),
  );
  const label = joinAll([
    before?.label ?? bottomLabel,
    added.length === 0 ? bottomLabel : await labelPieces(added),
    ...copied.map(labelOfSkill),
  ]);
  return isOwnText(label) ? undefined : label;
}

/** What is new in a version after another: all by which it is known again. */
export function newPieces(file: string, before: string, after: string): readonly string[] {
  return newIn(piecesOfSkill(file, after), piecesOfSkill(file, before));
}

function newIn({ whole, lines }: SkillPieces, before: SkillPieces | null): readonly string[] {
  const known = new Set(before === null ? [] : [...before.whole, ...before.lines]);
  return [...whole, ...lines].filter((piece) => !known.has(piece));
}

/** A line by itself is in too many skills: only what is whole counts as a copy of another skill. */
function sharesPiece({ head, text }: AcceptedSkill, pieces: ReadonlySet<string>): boolean {
  return (
    text !== undefined && piecesOfSkill(`${head.name}.org`, text).whole.some((piece) => pieces.has(piece))
  );
}
