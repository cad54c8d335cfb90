import type { Operation } from "#org";
import { joinAll, type Label } from "../../../signal/label.ts";
import { beginOf } from "../../../signal/text/cut-text.ts";
import type { LabelArgument } from "../../../signal/tool.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";
import { changesOrigin } from "./add-origin.ts";
import { operationSchema } from "./operation-schema.ts";
import type { ProposedOperation } from "./proposed-operation.ts";

/** Reads operations through the closed schema. An operation that names no heading applies to `node`, if there is one. */
export function readOperations(
  given: readonly ProposedOperation[],
  node: string | null,
): Fallible<readonly Operation[]> {
  const read: Operation[] = [];
  for (const [index, one] of given.entries()) {
    const placeless = one.op === "capture" || one.op === "checkbox";
    const operation = node === null || placeless || one.at !== undefined ? one : { ...one, at: node };
    const parsed = operationSchema.safeParse(operation);
    if (!parsed.success) {
      const wrong = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(": "));
      return problem(
        "invalid-arguments",
        `edit-notes: operation ${index + 1} (${one.op}): ${beginOf(wrong.join("; "), 400)}.`,
      );
    }
    if (changesOrigin(parsed.data))
      return problem(
        "invalid-arguments",
        "edit-notes: ORIGIN says where a text came from, and only the owner may change it.",
      );
    read.push(parsed.data);
  }
  return done(read);
}

/** Keys whose values come into the file as they are. The values of other keys are restricted to what Org allows. */
const free: readonly string[] = ["text", "title", "note", "key"];

/** The label of the text that the operations bring into a file. */
export function labelOfWrittenWords(operations: readonly Operation[], labelOf: LabelArgument): Label {
  return joinAll(operations.flatMap((operation) => freeWords(operation).map(labelOf)));
}

function freeWords(operation: Operation): readonly string[] {
  return Object.entries(operation).flatMap(([key, value]) => {
    const dated = key === "value" && (operation.op === "schedule" || operation.op === "deadline");
    const counts = free.includes(key) || (key === "value" && !dated);
    return counts && typeof value === "string" ? [value] : [];
  });
}
