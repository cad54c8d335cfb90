import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import type { TestOutcome } from "./outcome.ts";

/** Every test that ended, for the parity test and the count of skipped tests. */
export async function* collectOutcomes(source: AsyncIterable<TestEvent>): AsyncGenerator<TestOutcome> {
  const around = new Map<string, string[]>();
  for await (const event of source) {
    if (event.type !== "test:start" && event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { file = "", name, nesting } = event.data;
    const names = around.get(file) ?? [];
    around.set(file, names);
    names.length = nesting;
    names[nesting] = name;
    if (event.type === "test:start") continue;
    yield describe(event, file, names.join(" › "));
  }
}

function describe(
  event: Extract<TestEvent, { type: "test:pass" | "test:fail" }>,
  file: string,
  name: string,
): TestOutcome {
  const skip = event.data.skip ?? event.data.todo;
  const skipped = skip !== undefined && skip !== false;
  return {
    file: relative(process.cwd(), file),
    name,
    outcome: event.type === "test:fail" ? "failed" : skipped ? "skipped" : "passed",
    reason: skipped ? String(skip === true || skip === "" ? "no reason given" : skip) : "",
  };
}
