import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "../../../../test/processor-time.ts";
import { networkUse } from "./network-programs.ts";

const use = (line: string): string => {
  const { hosts, remotes } = networkUse(line.split(" "));
  return [...hosts, ...remotes.map((name) => `remote ${name}`)].join(" ");
};

test("the hosts of a command stand in its words", () => {
  for (const [line, hosts] of [
    ["curl https://a.example/x -o y", "https://a.example/x"],
    ["curl -fsSL example.org/install.sh", "http://example.org/install.sh"],
    ["curl -X POST -d @notes.txt https://a.example", "https://a.example"],
    ["wget -q http://a.example http://b.example", "http://a.example http://b.example"],
    ["git clone --depth 1 https://a.example/r.git", "https://a.example/r.git"],
    ["git -C sub push", "remote "],
    ["git push --force fork main", "remote fork"],
    ["git submodule update --init", ""],
    ["npm install", ""],
    ["npm ci --ignore-scripts", ""],
    ["npm i left-pad --registry=https://npm.example/", "https://npm.example/"],
    ["npx prettier .", ""],
    ["npm install --offline", ""],
    ["yarn", ""],
    ["pip install requests", ""],
    ["python3 -m pip install -i https://pypi.example/simple requests", "https://pypi.example/simple"],
    ["cargo add --index https://crates.example/i serde", "https://crates.example/i"],
    ["timeout 60 npm i --registry https://npm.example", "https://npm.example"],
    ["env CI=1 nice -n 5 npm ci", ""],
    ["/usr/bin/curl https://a.example", "https://a.example"],
  ] as const)
    assert.equal(use(line), hosts, line);
});

test("a script's words are read part by part", () => {
  const script = 'set -e; for u in 1 2; do curl "https://a.example/$u"; done && npm ci | tail';
  assert.deepEqual(networkUse(["bash", "-euc", script]).hosts, ["https://a.example/u"]);
});

test("a line that only bash understands is read like a script", () => {
  const line = [
    "bash",
    "--noprofile",
    "--norc",
    "-c",
    "curl -s https://a.example/x > out; cd sub; git push fork",
  ];
  assert.deepEqual(networkUse(line), { hosts: ["https://a.example/x"], remotes: ["fork"] });
});

test("a command that connects nowhere has no hosts, also where a URL stands in its words", () => {
  for (const line of [
    "npm test",
    "npm run build",
    "git commit -m https://a.example",
    "git status",
    "sed -i s#http://a.example#https://b.example# file",
    "make",
    "python3 script.py https://a.example",
    "cargo build",
    "pip list",
    "bash script.sh",
    "curl --version",
    "timeout 5",
    "env",
    "",
  ])
    assert.equal(use(line), "", line);
});

test("words that wrap a program take time in proportion to their number", async () => {
  const words = [...Array.from({ length: 20_000 }, () => "env"), "curl", "https://a.example"];
  const time = await leastTime(
    () => assert.deepEqual(networkUse(words), { hosts: ["https://a.example"], remotes: [] }),
    500,
  );
  assert.ok(time < 500, `${time} ms`);
});
