import type { ApprovalQuestion } from "../signal/approval-question.ts";
import { escapeInvisible } from "../signal/escape-invisible.ts";
import { shortPath } from "./short-path.ts";

/** What a yes can also say: that a value counts as the owner's until the task ends, or that a rule is kept. */
export type Offer = {
  readonly kind: "endorse" | "always";
  readonly title: string;
  /** What a rule allows, part by part. */
  readonly parts: readonly string[];
};

/** Where a part of a rule begins, as the daemon joins them. */
const nextPart =
  / {3,}(?=run `|read the (?:contents|names) of |write |reach https?:\/\/|\S+ stands for one word)/;

/** The offers of a question, in the order of their numbers. */
export function offersOf(
  { endorsable = [], rule, workspace }: ApprovalQuestion,
  home: string,
): readonly Offer[] {
  const values = [...new Set(endorsable)].map((value) => `“${escapeInvisible(value)}”`).join(", ");
  const place = workspace === null ? "" : ` in ${shortPath(workspace, home)}`;
  return [
    ...(values === ""
      ? []
      : [
          {
            kind: "endorse" as const,
            title: `yes, and ${values} counts as yours until this task ends`,
            parts: [],
          },
        ]),
    ...(rule === undefined
      ? []
      : [{ kind: "always" as const, title: `yes, and always${place}:`, parts: partsOf(rule, home) }]),
  ];
}

/** Each part once: programs of one command are one permission in words. */
function partsOf(rule: string, home: string): readonly string[] {
  return [...new Set(rule.split(nextPart))].map((part) =>
    escapeInvisible(home === "" ? part.trim() : part.trim().replaceAll(`${home}/`, "~/")),
  );
}
