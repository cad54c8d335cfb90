import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Architecture, findViolations, readTree } from "./architecture.ts";
import { edgeFiles } from "./edge-files.ts";
import { findUses } from "./find-uses.ts";

// The table is the architecture. A folder may import itself, and what is listed here.
const architecture: Architecture = {
  table: new Map([
    ["signal", []],
    ["wire", ["signal"]],
    ["perceive", ["signal", "memory"]],
    ["reason", ["signal", "memory"]],
    ["gate", ["signal"]],
    ["act", ["signal", "memory"]],
    ["memory", ["signal"]],
    ["skills", ["signal"]],
    ["tui", ["signal", "wire"]],
    [
      "cli",
      [
        "signal",
        "wire",
        "src/daemon/open-agent.ts",
        "src/daemon/serve.ts",
        "src/cli/offline/read-state.ts",
        "src/cli/offline/judge-offline.ts",
        "src/cli/offline/check-org-files.ts",
        "src/cli/offline/org-files.ts",
        "src/cli/offline/edit-org-file.ts",
        "src/cli/offline/agenda-and-query.ts",
        "src/tui/tui.ts",
      ],
    ],
  ]),
  pure: ["signal", "gate"],
  edges: edgeFiles,
};

const tree = readTree(dirname(dirname(fileURLToPath(import.meta.url))));
const before = new Set(said(architecture, {}));

/** What a copy of the tree with these files in it breaks, as `rule: file: detail`. */
function said(rules: Architecture, files: Readonly<Record<string, string>>): readonly string[] {
  const added = Object.entries(files).map(([file, text]) => [file, findUses(text, file)] as const);
  return findViolations(new Map([...tree, ...added]), rules).map(
    ({ rule, file, detail }) => `${rule}: ${file}: ${detail}`,
  );
}

/** What adding the files to a copy of the sources breaks that was whole before. */
function breakBy(files: Readonly<Record<string, string>>): readonly string[] {
  return said(architecture, files).filter((violation) => !before.has(violation));
}

test("the sources keep every rule of the architecture", () => {
  assert.equal([...before].join("\n"), "");
});

const table = "folders import only what the table allows";
const forbidden: readonly [from: string, to: string][] = [...architecture.table.keys()].flatMap((from) =>
  [...architecture.table.keys(), ""]
    .filter((to) => to !== from && !architecture.table.get(from)?.includes(to))
    .map((to): [string, string] => [from, to]),
);

test("an import that the table does not list is red, for every pair of folders", () => {
  for (const [from, to] of forbidden) {
    const file = `src/${from}/intruder.ts`;
    const spec = to === "" ? "../loop.ts" : `../${to}/other.ts`;
    assert.deepEqual(breakBy({ [file]: `import { x } from "${spec}";` }), [`${table}: ${file}: ${spec}`]);
  }
});

for (const [name, text] of [
  ["a type import", 'import type { X } from "../act/other.ts";'],
  ["an inline type import", 'export type Y = import("../act/other.ts").X;'],
  ["a side-effect import", 'import "../act/other.ts";'],
  ["a re-export", 'export { x } from "../act/other.ts";'],
  ["a re-export of all", 'export * from "../act/other.ts";'],
  ["a dynamic import", 'export const load = () => import("../act/other.ts");'],
] as const) {
  test(`${name} counts as an import`, () => {
    assert.deepEqual(breakBy({ "src/memory/intruder.ts": text }), [
      `${table}: src/memory/intruder.ts: ../act/other.ts`,
    ]);
  });
}

test("a dynamic import of a computed name is red, since nobody can check it", () => {
  assert.equal(
    breakBy({ "src/act/intruder.ts": "export const load = (name: string) => import(name);" }).length,
    1,
  );
});

test("cli may import the daemon and the terminal client's entry, and nothing else of theirs", () => {
  const text =
    'import "../daemon.ts";\nimport "../tui/tui.ts";\nimport "../wire/x.ts";\nimport "../signal/x.ts";';
  assert.deepEqual(breakBy({ "src/cli/intruder.ts": text }), []);
  assert.equal(
    breakBy({ "src/cli/intruder.ts": 'import "../tui/other.ts";\nimport "../config.ts";' }).length,
    2,
  );
});

test("an import in a comment or a string is none", () => {
  const text =
    '// import "../act/x.ts"\nexport const text = \'import "../act/x.ts"; import("../act/x.ts")\';';
  assert.deepEqual(breakBy({ "src/memory/intruder.ts": text }), []);
});

test("a package or a module of Node is red in a pure folder, as a type too", () => {
  for (const folder of architecture.pure) {
    for (const spec of ["zod", "node:crypto", "node:path"]) {
      const found = breakBy({ [`src/${folder}/intruder.ts`]: `import type { X } from "${spec}";` });
      assert.deepEqual(found, [
        `pure folders import nothing from outside: src/${folder}/intruder.ts: ${spec}`,
      ]);
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
      assert.equal(breakBy({ [`src/${folder}/intruder.ts`]: `export const y = ${use};` }).length, 1, folder);
    }
  });
}

test("a property that has the name of a global is none", () => {
  const text =
    "export const f = (port: { fetch: 1; process: 2; Date: 3 }) => [port.fetch, port.process, Math.max(1)];";
  assert.deepEqual(breakBy({ "src/gate/intruder.ts": text }), []);
});

for (const spec of [
  ...["fs", "node:fs", "node:fs/promises", "node:net", "node:http", "node:child_process", "node:sqlite"],
  ...["node:process", "process", "node:worker_threads", "node:os", "node:dns", "node:module", "node:timers"],
]) {
  test(`${spec} outside the edge files is red`, () => {
    for (const folder of ["act", "memory", "wire", "reason/providers", "cli", "perceive"]) {
      const file = `src/${folder}/intruder.ts`;
      const found = breakBy({ [file]: `import { x } from "${spec}";` });
      assert.deepEqual(found, [`only the edge files touch the world: ${file}: ${spec}`]);
    }
  });
}

for (const use of ["process.env", "fetch(x)", "globalThis.fetch", "console.log(x)"]) {
  test(`${use} outside the edge files is red`, () => {
    assert.equal(breakBy({ "src/reason/intruder.ts": `export const y = ${use};` }).length, 1);
  });
}

test("a file at the root of the sources that is no edge file does not touch the world", () => {
  assert.equal(breakBy({ "src/intruder.ts": 'import { x } from "node:fs";' }).length, 1);
});

test("a cycle is red, through types too", () => {
  const found = breakBy({
    "src/memory/one.ts": 'import type { B } from "./two.ts";\nexport type A = B;',
    "src/memory/two.ts": 'import type { A } from "./one.ts";\nexport type B = A;',
  });
  assert.deepEqual(found, [
    "no cycles: src/memory/one.ts: src/memory/one.ts → src/memory/two.ts → src/memory/one.ts",
  ]);
});

test("a folder that is not in the table is red", () => {
  assert.equal(breakBy({ "src/extras/intruder.ts": "export const x = 1;" }).length, 1);
});

test("a name that attracts everything is red at any depth", () => {
  assert.equal(breakBy({ "src/act/utils/intruder.ts": "export const x = 1;" }).length, 1);
  assert.equal(breakBy({ "src/act/helpers.ts": "export const x = 1;" }).length, 1);
});

test("mutable state at the top of a module is red", () => {
  assert.equal(breakBy({ "src/act/intruder.ts": "export let x = 1;" }).length, 1);
  assert.equal(breakBy({ "src/act/intruder.ts": "var y = 1;\nexport const f = () => y;" }).length, 1);
  assert.deepEqual(
    breakBy({ "src/act/intruder.ts": "export const f = () => { let x = 1; return x++; };" }),
    [],
  );
});

test("a source that imports a test is red", () => {
  assert.equal(breakBy({ "src/act/intruder.ts": 'import "./undo.test.ts";' }).length, 1);
});

test("an edge file that is listed and not there is red", () => {
  const rules = { ...architecture, edges: [...edgeFiles, "src/act/gone.ts"] };
  const found = said(rules, {}).filter((violation) => !before.has(violation));
  assert.deepEqual(found, ["an edge file exists: src/act/gone.ts: listed, and not there"]);
});
