import assert from "node:assert/strict";
import { dirname, posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import { edgeFiles } from "./edge-files.ts";
import { findUses } from "./find-uses.ts";
import {
  type Architecture,
  fileViolations,
  findViolations,
  folderCyclesWithFixtures,
  readTree,
  type Violation,
} from "./rules.ts";
import { architecture } from "./table.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const tree = readTree(root);
const before = new Set(findViolations(tree, architecture).map(inWords));

function inWords({ rule, file, detail }: Violation): string {
  return `${rule}: ${file}: ${detail}`;
}

/** What a copy of the tree with these files in it breaks, in words. */
function said(rules: Architecture, files: Readonly<Record<string, string>>): readonly string[] {
  const added = Object.entries(files).map(([file, text]) => [file, findUses(text, file)] as const);
  return findViolations(new Map([...tree, ...added]), rules).map(inWords);
}

/** What adding the files to a copy of the sources breaks that was whole before. */
function breakBy(files: Readonly<Record<string, string>>): readonly string[] {
  return said(architecture, files).filter((violation) => !before.has(violation));
}

/** What one file breaks by itself. */
function breakAlone(file: string, text: string): readonly string[] {
  return fileViolations(file, findUses(text, file), architecture).map(inWords);
}

test("fixtures make no cycle between folders", () => {
  assert.deepEqual(folderCyclesWithFixtures(root).map(inWords), []);
});

test("the sources keep every rule of the architecture", () => {
  assert.equal([...before].join("\n"), "");
});

/** The sources that import code, not only types, of a file or a package. */
function importersOf(isWanted: (target: string) => boolean): readonly string[] {
  return [...tree].flatMap(([file, { imports }]) => {
    const targets = imports.flatMap(({ spec, typeOnly }) =>
      spec === null || typeOnly ? [] : [spec.startsWith(".") ? posix.join(dirname(file), spec) : spec],
    );
    return targets.some(isWanted) ? [file] : [];
  });
}

test("a model is reached only with a price that the ledger holds, and only three files have one held", () => {
  const packages = importersOf((target) => target.startsWith("@ai-sdk/"));
  assert.deepEqual(packages.toSorted(), [
    "src/reason/providers/ai-sdk.ts",
    "src/reason/providers/embedding.ts",
  ]);
  // The compiler lets nobody send a request without a reservation, and makes none outside of this file.
  const holders = importersOf((target) => target === "src/reason/model/reservation.ts");
  assert.deepEqual(holders.toSorted(), [
    "src/features/configure/try-model.ts",
    "src/reason/model/attempt-call.ts",
    "src/reason/model/embed.ts",
  ]);
});

const table = "folders import only what the table allows";
const rooms = [...architecture.table.keys()];

function allows(from: string, to: string, list: "imports" | "types"): boolean {
  return (
    architecture.table.get(from)?.[list].some((place) => to === place || to.startsWith(`${place}/`)) ?? false
  );
}

function isFeature(folder: string): boolean {
  return /^src\/features\/[^/]+$/.test(folder);
}

/** Whether a folder lies inside a feature, and the other folder outside of it. */
function isInsideOther(folder: string, from: string): boolean {
  const feature = /^src\/features\/[^/]+(?=\/)/.exec(folder)?.[0];
  return feature !== undefined && from !== feature && !from.startsWith(`${feature}/`);
}

/** A file in every other folder of the table, seen from one of them: of a feature its face. */
function targetsFrom(from: string): readonly { readonly to: string; readonly spec: string }[] {
  return rooms
    .filter((to) => to !== from && !isInsideOther(to, from))
    .map((to) => ({
      to,
      spec: `${posix.relative(from, to).replace(/^(?!\.)/, "./")}/${isFeature(to) ? "feature" : "other"}.ts`.replace(
        "//",
        "/",
      ),
    }));
}

test("an import that the table does not list is red, for every pair of folders", () => {
  for (const from of rooms) {
    for (const { to, spec } of targetsFrom(from)) {
      const file = `${from}/${from === "src" ? "main" : "intruder"}.ts`;
      const expected = allows(from, to, "imports") ? [] : [`${table}: ${file}: ${spec}`];
      assert.deepEqual(breakAlone(file, `import { x } from "${spec}";`), expected);
    }
  }
});

test("a feature is reached by its face alone", () => {
  const found = breakAlone("src/agent/intruder.ts", 'import { x } from "../features/backup/purge.ts";');
  assert.deepEqual(found, [
    "a feature is reached by its face: src/agent/intruder.ts: ../features/backup/purge.ts",
  ]);
});

test("what is listed for its types is red as a value, for every pair of folders", () => {
  for (const from of rooms) {
    for (const { to, spec } of targetsFrom(from)) {
      if (allows(from, to, "imports") || !allows(from, to, "types")) continue;
      const file = `${from}/intruder.ts`;
      assert.deepEqual(breakAlone(file, `import type { X } from "${spec}";`), []);
      assert.deepEqual(breakAlone(file, `import { type X } from "${spec}";`), [`${table}: ${file}: ${spec}`]);
    }
  }
});

for (const [name, text] of [
  ["a type import", 'import type { X } from "../../act/other.ts";'],
  ["an inline type import", 'export type Y = import("../../act/other.ts").X;'],
  ["a side-effect import", 'import "../../act/other.ts";'],
  ["a re-export", 'export { x } from "../../act/other.ts";'],
  ["a re-export of all", 'export * from "../../act/other.ts";'],
  ["a dynamic import", 'export const load = () => import("../../act/other.ts");'],
] as const) {
  test(`${name} counts as an import`, () => {
    assert.deepEqual(breakAlone("src/memory/state/intruder.ts", text), [
      `${table}: src/memory/state/intruder.ts: ../../act/other.ts`,
    ]);
  });
}

test("a dynamic import of a computed name is red, since nobody can check it", () => {
  assert.equal(
    breakAlone("src/act/intruder.ts", "export const load = (name: string) => import(name);").length,
    1,
  );
});

test("an import in a comment or a string is none", () => {
  const text =
    '// import "../../act/x.ts"\nexport const text = \'import "../act/x.ts"; import("../act/x.ts")\';';
  assert.deepEqual(breakAlone("src/memory/state/intruder.ts", text), []);
});

test("a package or a module of Node is red in a pure folder, as a type too", () => {
  for (const folder of architecture.pure) {
    for (const spec of ["zod", "node:crypto", "node:path"]) {
      const found = breakAlone(`${folder}/intruder.ts`, `import type { X } from "${spec}";`);
      assert.deepEqual(found, [`pure folders import nothing from outside: ${folder}/intruder.ts: ${spec}`]);
    }
  }
});

for (const use of [
  "Date.now()",
  "new Date()",
  "Math.random()",
  'Math["random"]()',
  "fetch(x)",
  "process.pid",
  "globalThis.x",
  "setTimeout(f)",
  "setInterval(f)",
  "setImmediate(f)",
  "queueMicrotask(f)",
  "performance.now()",
  "crypto.randomUUID()",
  "console.log(x)",
]) {
  test(`${use} is red in a pure folder`, () => {
    for (const folder of architecture.pure) {
      assert.equal(breakAlone(`${folder}/intruder.ts`, `export const y = ${use};`).length, 1, folder);
    }
  });
}

test("a property that has the name of a global is none", () => {
  const text =
    "export const f = (port: { fetch: 1; process: 2; Date: 3 }) => [port.fetch, port.process, Math.max(1)];";
  assert.deepEqual(breakAlone("src/gate/intruder.ts", text), []);
});

for (const spec of [
  "fs",
  "node:fs",
  "node:fs/promises",
  "node:net",
  "node:http",
  "node:child_process",
  "node:sqlite",
  "node:process",
  "process",
  "node:worker_threads",
  "node:os",
  "node:dns",
  "node:module",
  "node:timers",
]) {
  test(`${spec} outside the edge files is red`, () => {
    for (const folder of ["act", "memory/state", "wire/codec", "reason/providers", "cli", "perceive"]) {
      const file = `src/${folder}/intruder.ts`;
      const found = breakAlone(file, `import { x } from "${spec}";`);
      assert.deepEqual(found, [`only the edge files touch the world: ${file}: ${spec}`]);
    }
  });
}

for (const use of ["process.env", "fetch(x)", "globalThis.fetch", "console.log(x)"]) {
  test(`${use} outside the edge files is red`, () => {
    assert.equal(breakAlone("src/reason/intruder.ts", `export const y = ${use};`).length, 1);
  });
}

test("a file at the root of the sources beside main.ts is red", () => {
  assert.deepEqual(breakAlone("src/intruder.ts", "export const x = 1;"), [
    "nothing but main.ts lies at the root: src/intruder.ts: src/intruder.ts",
  ]);
});

test("the Org package imports no package, no module of Node and nothing of the program", () => {
  const file = "packages/org/src/text/intruder.ts";
  for (const spec of ["zod", "node:path"]) {
    assert.ok(
      breakAlone(file, `import type { X } from "${spec}";`).includes(
        `a lone package imports nothing from outside: ${file}: ${spec}`,
      ),
    );
  }
  const spec = "../../../../src/signal/other.ts";
  assert.deepEqual(breakAlone(file, `import type { X } from "${spec}";`), [`${table}: ${file}: ${spec}`]);
});

test("the program imports nothing of the Org package but its face", () => {
  for (const from of rooms.filter((room) => room.startsWith("src/"))) {
    for (const folder of rooms.filter((room) => room.startsWith("packages/org/src/"))) {
      const file = `${from}/intruder.ts`;
      const spec = `${posix.relative(from, folder)}/other.ts`;
      for (const kind of ["import", "import type"]) {
        assert.deepEqual(breakAlone(file, `${kind} { x } from "${spec}";`), [`${table}: ${file}: ${spec}`]);
      }
    }
  }
});

test("an alias counts as the file that it leads to", () => {
  const text = 'import { scanOutline } from "#org";';
  assert.deepEqual(breakAlone("src/memory/notes/intruder.ts", text), []);
  assert.deepEqual(breakAlone("src/gate/intruder.ts", text), [
    `${table}: src/gate/intruder.ts: ../../packages/org/src/org.ts`,
  ]);
});

test("every alias of the manifest is in the table", () => {
  assert.deepEqual(
    Object.entries(manifest.imports).map(([alias, path]) => [alias, posix.normalize(path)]),
    [...architecture.aliases],
  );
});

test("the Org package uses nothing that only Node has", () => {
  for (const use of ["Buffer.from(x)", "process.pid", "setImmediate(f)", "require(x)"]) {
    const file = "packages/org/src/text/intruder.ts";
    assert.ok(
      breakAlone(file, `export const y = ${use};`).includes(
        `a lone package uses nothing that only Node has: ${file}: ${use.replace(/[.(].*/, "")}`,
      ),
    );
  }
});

test("a cycle between folders is red, where no two files make one", () => {
  const found = breakBy({
    "src/memory/one/a.ts": 'import "../two/a.ts";',
    "src/memory/two/a.ts": "export const x = 1;",
    "src/memory/two/b.ts": 'import "../one/b.ts";',
    "src/memory/one/b.ts": "export const x = 1;",
  });
  assert.deepEqual(
    found.filter((words) => words.startsWith("no cycles")),
    [
      "no cycles between folders: src/memory/one: src/memory/one → src/memory/two → src/memory/one",
      "no cycles between folders: src/memory/two: src/memory/two → src/memory/one → src/memory/two",
    ],
  );
});

test("a folder that imports from one inside it, and is imported from there, is red", () => {
  const found = breakBy({
    "src/reason/intruder.ts": 'import "./providers/intruder.ts";',
    "src/reason/providers/intruder.ts": 'import "../intruder.ts";',
  });
  assert.ok(
    found.includes("no cycles between folders: src/reason: src/reason → src/reason/providers → src/reason"),
    found.join("\n"),
  );
});

test("a cycle is red, through types too", () => {
  const found = breakBy({
    "src/memory/state/one.ts": 'import type { B } from "./two.ts";\nexport type A = B;',
    "src/memory/state/two.ts": 'import type { A } from "./one.ts";\nexport type B = A;',
  });
  assert.deepEqual(found, [
    "no cycles: src/memory/state/one.ts: src/memory/state/one.ts → src/memory/state/two.ts → src/memory/state/one.ts",
  ]);
});

test("a folder that is not in the table is red", () => {
  assert.equal(breakAlone("src/extras/intruder.ts", "export const x = 1;").length, 1);
});

test("a name that attracts everything is red at any depth", () => {
  assert.ok(
    breakAlone("src/act/utils/intruder.ts", "export const x = 1;").includes(
      "no name that attracts everything: src/act/utils/intruder.ts: src/act/utils/intruder.ts",
    ),
  );
  assert.equal(breakBy({ "src/act/helpers.ts": "export const x = 1;" }).length, 1);
});

test("mutable state at the top of a module is red", () => {
  assert.equal(breakAlone("src/act/intruder.ts", "export let x = 1;").length, 1);
  assert.equal(breakAlone("src/act/intruder.ts", "var y = 1;\nexport const f = () => y;").length, 1);
  assert.deepEqual(
    breakAlone("src/act/intruder.ts", "export const f = () => { let x = 1; return x++; };"),
    [],
  );
});

test("a source that imports a test is red", () => {
  assert.equal(breakAlone("src/act/intruder.ts", 'import "./undo.test.ts";').length, 1);
});

test("an edge file that is listed and not there is red", () => {
  const rules = { ...architecture, edges: [...edgeFiles, "src/act/gone.ts"] };
  const found = said(rules, {}).filter((violation) => !before.has(violation));
  assert.deepEqual(found, ["an edge file exists: src/act/gone.ts: listed, and not there"]);
});
