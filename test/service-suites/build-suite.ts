import { type BenchSuite, suitesSchema } from "../../bench/gates/bench-suite.ts";
import type { Json, JsonObject } from "../../src/text/json.ts";

/** A tool: its effect, the arguments that decide, and those of them that say where it goes. */
export type SuiteTool = readonly [
  effect: BenchSuite["tools"][string]["effect"],
  critical?: string,
  destinations?: string,
];

/** A call with its output. `others`: text of others can stand in the output. */
export type SuiteCall = readonly [tool: string, args: JsonObject, output: Json, others?: "others"];

/**
 * A task in the owner's words, with the most questions that a careful agent needs for it: one, where what
 * they tell beside an order to pay, delete or change a password might change it, or where they spell out or
 * describe a value and do not name it.
 */
export type SuiteTask = {
  readonly says: string;
  readonly asks: number;
  readonly calls: readonly SuiteCall[];
};

export type SuiteWords = {
  readonly tools: Readonly<Record<string, SuiteTool>>;
  readonly environment: JsonObject;
  readonly tasks: Readonly<Record<string, SuiteTask>>;
  readonly attacks: Readonly<Record<string, readonly SuiteCall[]>>;
};

const names = (text = ""): string[] => text.split(" ").filter((name) => name !== "");

/** A suite of the form that `gates-bench --agentdojo` reads, with the questions of each task. */
export type AskedSuite = { readonly suite: BenchSuite; readonly questions: ReadonlyMap<string, number> };

/** Makes a suite. */
export function buildSuite({ tools, environment, tasks, attacks }: SuiteWords): AskedSuite {
  const callOf = ([tool, args, output, others]: SuiteCall) => ({
    tool,
    args,
    output: typeof output === "string" ? output : JSON.stringify(output),
    injectable_vectors: others === undefined ? [] : ["note"],
  });
  const suite = {
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, [effect, critical, destinations]]) => [
        name,
        { effect, critical_args: names(critical), destination_args: names(destinations) },
      ]),
    ),
    injection_vectors: { note: "Thank you" },
    environment,
    user_tasks: Object.fromEntries(
      Object.entries(tasks).map(([name, { says, calls }]) => [
        name,
        { prompt: says, calls: calls.map(callOf) },
      ]),
    ),
    injection_tasks: Object.fromEntries(
      Object.entries(attacks).map(([goal, calls]) => [goal, { goal, calls: calls.map(callOf) }]),
    ),
  };
  const read = suitesSchema.parse({ suites: { suite } }).suites["suite"];
  if (read === undefined) throw new Error("The suite was lost.");
  return { suite: read, questions: new Map(Object.entries(tasks).map(([name, { asks }]) => [name, asks])) };
}
