import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** What the gates of the owner's skills object to. They were asked when the facts were gathered, so that a replay gives the same verdict. They can only object. */
export const taughtGates: Gate = {
  name: "taught-gates",
  priority: 700,
  revision: 1,
  answer(_, { taught = [] }, index) {
    const objections = taught.filter(({ effectIndex }) => effectIndex === index);
    const [first] = objections.toSorted((a, b) =>
      a.result === b.result ? 0 : a.result === "block" ? -1 : 1,
    );
    if (first === undefined) return { result: "not-concerned" };
    const reason = `${oneLine(first.reason)} (the gate ${oneLine(first.gate)} of the skill ${oneLine(first.skill)})`;
    if (first.result === "block") return { result: "block", code: "taught", reason };
    const asking = objections.map(({ skill, gate }) => `${skill}/${gate}`).sort();
    return { result: "ask", code: `taught:${asking.join(",")}`, reason };
  },
};
