import type { Operation } from "#org";
import { beginOf } from "../../../text/cut-text.ts";
import { changesOrigin } from "../../files/add-origin.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";
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
