// Imported first by each group of test files that share a process: a test that leaves the process other than it found it fails, since the tests after it would run in what it left.
import { afterEach, before } from "node:test";

/** What the tests of one process share and a test can change, by name. */
function look(): ReadonlyMap<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis));
  return new Map<string, unknown>([
    ...Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const),
    ["its working folder", process.cwd()],
    ["its file mask", process.umask()],
    ["its exit code", process.exitCode],
    ...process
      .eventNames()
      .map((name) => [`its listeners to ${String(name)}`, process.listenerCount(name)] as const),
    ...globals.map(([name, { value }]) => [`the global ${name}`, value] as const),
  ]);
}

const found = new Map<string, unknown>();

function keep(seen: ReadonlyMap<string, unknown>): void {
  found.clear();
  for (const [name, value] of seen) found.set(name, value);
}

// Once every file of the group is loaded.
before(() => keep(look()));

afterEach(() => {
  const left = look();
  const changed = [...new Set([...left.keys(), ...found.keys()])].filter(
    (name) => !Object.is(found.get(name), left.get(name)) && !isAddedGlobal(name),
  );
  if (changed.length === 0) return;
  keep(left);
  throw new Error(
    `This test changed ${changed.join(", ")} of a process that it shares with other test files. Let it leave its process alone, or let scripts/group-tests.ts see that its file needs a process of its own.`,
  );
});

/** Libraries that are loaded late add globals for themselves. */
function isAddedGlobal(name: string): boolean {
  return name.startsWith("the global ") && !found.has(name);
}
