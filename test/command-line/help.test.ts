import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

/** Commands that hold a conversation, serve, or print a file back: there is nothing to read as JSON. */
const withoutJson = ["cli", "completion", "daemon", "emacs", "tui"];

/** Each reading command, with what it needs, as JSON in a world with a note and without a model's answer. */
const reading: readonly (readonly string[])[] = [
  ["approve", "--json"],
  ["deny", "--json"],
  ["judge", "--json"],
  ["journal", "tail", "--json"],
  ["journal", "verify", "--json"],
  ["journal", "why", "nothing", "--json"],
  ["journal", "replay", "--json"],
  ["agenda", "--json"],
  ["query", "TODO", "--json"],
  ["backlinks", "nothing", "--json"],
  ["org", "check", "--json", "note.org"],
  ["memory", "show", "--json"],
  ["memory", "show", "nothing", "--json"],
  ["memory", "history", "--json"],
  ["memory", "search", "roses", "--json"],
  ["memory", "verify", "--json"],
  ["rules", "list", "--json"],
  ["rules", "test", "--json"],
  ["secret-paths", "list", "--json"],
  ["mcp", "list", "--json"],
  ["vault", "list", "--json"],
  ["vault", "status", "--json"],
  ["context", "roses", "--json"],
  ["budget", "--json"],
  ["sessions", "--json"],
  ["sessions", "show", "nothing", "--json"],
  ["doctor", "--json"],
  ["purge", "--dry-run", "--json"],
];

test("every command explains itself with its exit codes, and each that reads gives JSON and one of these codes", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("note.org"), "* TODO Water the roses\n");
  const [{ out: list }] = await Promise.all([
    world.command(["--help"]),
    world.command(["ask", "/note Water the roses"]),
  ]);
  const names = [
    ...new Set([...list.matchAll(/^ {2}passepartout ([a-z][\w-]*)/gm)].map(([, name = ""]) => name)),
  ];
  assert.ok(names.length >= 25, list);
  const helps = new Map(
    await fewAtOnce(names, async (name) => [name, await world.command([name, "--help"])] as const),
  );
  const codesOf = (name: string): readonly number[] => {
    const [line = ""] = /^Exit codes: .*/m.exec(helps.get(name)?.out ?? "") ?? [];
    const codes = [...line.matchAll(/(?<=[:,;.] )(\d)(?= )/g)].map(([, code]) => Number(code));
    return line.includes("those of ask") ? [...codesOf("ask"), ...codes] : codes;
  };
  const unexplained = [...helps].filter(
    ([name, { code, out, err }]) =>
      code !== 0 || err !== "" || !out.startsWith("Usage: passepartout ") || !codesOf(name).includes(2),
  );
  assert.deepEqual(unexplained, []);
  const textOnly = names.filter((name) => !helps.get(name)?.out.includes("--json"));
  assert.deepEqual(textOnly.toSorted(), withoutJson);
  const results = await fewAtOnce(reading, async (args) => ({
    args,
    ...(await world.command(args, { input: '{"shell":"ls"}\n' })),
  }));
  const wrong = results.filter(
    ({ args: [name = ""], code, out, err }) =>
      code === null ||
      !codesOf(name).includes(code) ||
      !isJsonLines(out) ||
      (code !== 0 && out === "" && err === ""),
  );
  assert.deepEqual(wrong, []);
  for (const { err } of results) assert.doesNotMatch(err, /^ {4}at /m);
});

/** Does work for each item, for a few of them at once. */
async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += 6)
    results.push(...(await Promise.all(items.slice(at, at + 6).map(work))));
  return results;
}

function isJsonLines(text: string): boolean {
  try {
    for (const line of text.split("\n").filter((each) => each !== "")) JSON.parse(line);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
