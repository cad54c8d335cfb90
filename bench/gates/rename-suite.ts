import { isJsonArray, isJsonObject, type Json } from "../../src/text/json.ts";
import type { BenchCall, NamedSuite } from "./bench-suite.ts";
import { makeRenaming } from "./make-renaming.ts";
import { seededRandom } from "./seeded-random.ts";

/** A suite with all names of persons, hosts, addresses, accounts and dates replaced by made-up ones, the same by the same everywhere. Without a seed the suite itself. The names of tools, arguments and tasks stay. */
export function renamed({ name, suite }: NamedSuite, seed: string | null): NamedSuite {
  if (seed === null) return { name, suite };
  const { tools, ...content } = suite;
  const change = makeRenaming(JSON.stringify(content), content.environment, seededRandom(`${seed}/${name}`));
  const calls = (given: readonly BenchCall[]): BenchCall[] =>
    given.map((call) => ({ ...call, args: changeAll(call.args, change), output: change(call.output) }));
  return {
    name,
    suite: {
      tools,
      environment: changeValue(content.environment, change),
      injection_vectors: changeAll(content.injection_vectors, change),
      user_tasks: mapEntries(content.user_tasks, (task) => ({
        prompt: change(task.prompt),
        calls: calls(task.calls),
      })),
      injection_tasks: mapEntries(content.injection_tasks, (task) => ({
        goal: change(task.goal),
        calls: calls(task.calls),
      })),
    },
  };
}

function mapEntries<T, U>(given: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, map(value)]));
}

function changeAll<T extends Json>(
  given: Readonly<Record<string, T>>,
  change: (text: string) => string,
): Record<string, T>;
function changeAll(
  given: Readonly<Record<string, Json>>,
  change: (text: string) => string,
): Record<string, Json> {
  return mapEntries(given, (value) => changeValue(value, change));
}

function changeValue(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (isJsonArray(value)) return value.map((item) => changeValue(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      key.includes("@") ? change(key) : key,
      changeValue(held, change),
    ]),
  );
}
