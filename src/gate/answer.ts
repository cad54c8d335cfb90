/** A gate's answer to one effect. `code` names the objection, so that a licence can refer to it. Reasons are for people. */
export type GateAnswer =
  | { readonly result: "passed"; readonly reason: string }
  | {
      readonly result: "ask" | "block";
      readonly code: string;
      readonly reason: string;
      /** Of an ask: whether a trial may discharge it. */
      readonly trial?: true;
    }
  | { readonly result: "not-concerned" };

/** Reads an answer: own properties and known words only. Null for anything else, such as nothing, a promise or an unknown word. */
export function readGateAnswer(value: unknown): GateAnswer | null {
  if (value instanceof Promise) value.catch(ignoreRejection);
  const result = ownText(value, "result");
  const reason = ownText(value, "reason");
  const code = ownText(value, "code");
  if (result === "not-concerned") return { result };
  if (reason === null) return null;
  if (result === "passed") return { result, reason };
  if (code === null || code === "" || (result !== "ask" && result !== "block")) return null;
  return result === "ask" && ownTrue(value, "trial")
    ? { result, code, reason, trial: true }
    : { result, code, reason };
}

function ownTrue(value: unknown, name: string): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, name) &&
    Reflect.get(value, name) === true
  );
}

function ownText(value: unknown, name: string): string | null {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
  const held: unknown = Reflect.get(value, name);
  return typeof held === "string" ? held : null;
}

/** A promise already counts as a block. Its later rejection must not stop the daemon. */
function ignoreRejection(): null {
  return null;
}
