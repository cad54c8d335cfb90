import type { State } from "../memory/state/state.ts";
import type { Effect } from "../signal/effect.ts";
import type { Outcome } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";

/** What deciding about a killed line needs. */
export type KilledLineParts = {
  readonly state: Pick<State, "changes">;
  /** The change sets of which recovery could take back only a part. */
  readonly takenBackInPart: ReadonlySet<string>;
};

/** What came of a line, and the numbers of the changes that it made. */
export type KilledLine = { readonly outcome: Outcome; readonly made: readonly number[] };

/**
 * What came of a command line that a kill ended. What it changes over an overlay is kept after its end, and
 * all of it or nothing: so the change sets decide. Null where they say nothing.
 */
export async function endOfKilledLine(
  { state, takenBackInPart }: KilledLineParts,
  turn: Turn,
  effects: readonly Effect[],
): Promise<KilledLine | null> {
  const known = new Set(
    turn.messages.flatMap((message) => (message.role === "result" ? (message.result.changes ?? []) : [])),
  );
  const sets = (await state.changes.ofTurn(turn.id)).filter(
    ({ kind, number }) => kind === "command" && !known.has(number),
  );
  const made = sets.map(({ number }) => number);
  if (sets.some(({ preImage }) => preImage !== null && takenBackInPart.has(preImage)))
    return { outcome: unknown(inPart), made };
  if (sets.some(({ undone }) => !undone))
    return { outcome: sets.some(({ undone }) => undone) ? unknown(inPart) : kept, made };
  if (lastsNowhereElse(effects)) return { outcome: nothingLeft, made };
  return sets.length === 0 ? null : { outcome: unknown(elsewhere), made };
}

/** Whether all that a line does is done over an overlay. */
function lastsNowhereElse(effects: readonly Effect[]): boolean {
  const isOverlaid = effects.some((effect) => effect.kind === "run-program" && effect.confined);
  return isOverlaid && effects.every(({ reversal }) => reversal === "undoable");
}

const nothingLeft: Outcome = {
  status: "error",
  code: "taken-back",
  message:
    "Passepartout ended while this ran. Nothing of it is left: it was not done, and it is not repeated by itself.",
};

const kept: Outcome = {
  status: "success",
  content:
    "It ran to its end, and what it changed was kept. (Passepartout ended right after it, so its output and its exit code are lost.)",
};

const inPart = "A part of what it changed is kept, and the rest was taken back or is not known.";
const elsewhere = "What it changed in files was taken back. What it did elsewhere is not known.";

function unknown(what: string): Outcome {
  const message = `Passepartout ended while this ran. ${what} It is not repeated. Check before you do it again.`;
  return { status: "error", code: "unknown", message };
}
