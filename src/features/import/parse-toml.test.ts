import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "./foreign-servers.ts";
import { parseToml } from "./parse-toml.ts";

const read = (text: string): unknown => JSON.parse(JSON.stringify(plain(parseToml(text))));

test("tables, dotted keys, arrays over lines, inline tables and every sort of string are read", () => {
  const text = `a.b = 'c:\\x' # said
"q r" = "t\\tu\\u00e9"
list = [ "one", # first
  2, true,
]
env = { A = "1", B.c = '2' }
long = """
first \\
   second"""
[mcp_servers."my docs"]
args = []
[[jobs]]
at = 2026-01-02T07:00:00Z
[[jobs]]
n = 1_000
`;
  assert.deepEqual(read(text), {
    a: { b: "c:\\x" },
    "q r": "t\tué",
    list: ["one", 2, true],
    env: { A: "1", B: { c: "2" } },
    long: "first second",
    mcp_servers: { "my docs": { args: [] } },
    jobs: [{ at: "2026-01-02T07:00:00Z" }, { n: 1000 }],
  });
});

test("what is no TOML is refused with its line, whatever it is", () => {
  for (const text of [
    "a",
    "a = ",
    "[a",
    'a = "b',
    "a = 1\na = 2",
    "a = 1 2",
    "a = 1\n[a.b]",
    `a = ${"[".repeat(99)}`,
  ])
    assert.throws(() => parseToml(text), /^TomlError: line /, text);
  assert.throws(() => parseToml("a = 1\nb = [1"), /line 2: /);
  assert.deepEqual(
    read('__proto__ = "x"\n[constructor]\na = 1\n'),
    JSON.parse('{"__proto__":"x","constructor":{"a":1}}'),
  );
});
