import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fillText, openProjectServers, readMcpFile, referencesOf } from "./mcp-servers.ts";
import { secretsOfServers } from "./secrets-of-servers.ts";

function write(
  t: TestContext,
  contents: unknown,
  name = "mcp.json",
): { readonly folder: string; readonly path: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-servers-")));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, typeof contents === "string" ? contents : JSON.stringify(contents));
  return { folder, path };
}

const own = { home: "/home/ada", project: null };

test("entries are read as everybody writes them, and one that cannot be used hides no other", (t) => {
  const { path } = write(t, {
    mcpServers: {
      files: { command: "npx", args: ["-y", "files"], env: { LEVEL: "1" }, autoApprove: ["all"] },
      web: {
        type: "http",
        url: `https://example.org/mcp?key=\${vault:web}`,
        headers: { Authorization: `Bearer \${TOKEN}` },
      },
      off: { command: "true", disabled: true },
      old: { type: "sse", url: "https://example.org/sse" },
      login: { url: "https://me:pass@example.org/" },
      ftp: { url: "ftp://example.org/" },
      "bad name": { command: "true" },
      two__lines: { command: "true" },
      empty: {},
      number: 3,
      grants: { command: "true", passepartout: { reads: ["/"] } },
      granted: {
        command: "true",
        passepartout: {
          read: ["~/docs", "/srv"],
          tools: { a: "read", b: { effect: "egress", destinations: ["to"] } },
        },
      },
    },
  });
  const { servers, problems } = readMcpFile(path, own);
  assert.deepEqual(
    servers.map(({ name }) => name),
    ["files", "web", "granted"],
  );
  assert.equal(problems.length, 8);
  assert.match(problems.join("\n"), /"number" is left out: its entry: expected object, received number\./);
  assert.ok(problems.every((problem) => !problem.includes("me:pass")));
  const [, web, granted] = servers;
  assert.deepEqual(web === undefined ? [] : referencesOf(web), ["vault:web", "TOKEN"]);
  assert.deepEqual(granted?.grants.read, ["/home/ada/docs", "/srv"]);
  assert.deepEqual(granted?.declared.get("b"), { effect: "egress", critical: null, destinations: ["to"] });
});

test("a file with a byte order mark, comments, trailing commas or the list named servers is read as others read it", (t) => {
  const entry =
    '{"command": "true", "args": ["// no comment", 7], "env": {"A": 1, "B": true, "C": null, "D": "/* d */"}}';
  const files = [
    `\uFEFF{"mcpServers": {"one": ${entry}}}`,
    `// servers\n{"mcpServers": {/* the first */ "one": ${entry},}, // last\n}`,
    `{"mcpServers": {"one": ${entry}, /* none */ // more\n}}`,
    `{"inputs": [], "servers": {"one": ${entry}}}`,
  ];
  for (const contents of files) {
    const { path } = write(t, contents);
    const { servers, problems } = readMcpFile(path, own);
    assert.deepEqual(problems, [], contents);
    assert.deepEqual(servers[0]?.transport, {
      kind: "stdio",
      command: "true",
      args: ["// no comment", "7"],
      environment: { A: "1", B: "true", D: "/* d */" },
    });
  }
});

test("a value that cannot be a text leaves out its own entry, in words, and a broken file is told without its contents", (t) => {
  const odd: readonly (readonly [object, RegExp])[] = [
    [
      { command: "x", env: { A: { b: 1 } } },
      /env\.A: expected a text of at most 16384 characters, a number, true, false or null\. Correct/,
    ],
    [{ command: "x", env: { A: 12_345_678_901_234_567_000 } }, /env\.A: .*more digits than JSON keeps/],
    [{ command: "x", env: ["A=b"] }, /env: expected record, received array/],
    [{ command: "x", args: [{}] }, /args\.0: expected a text/],
    [{ url: "https://example.org/", headers: { A: [] } }, /headers\.A: expected a text/],
  ];
  for (const [entry, words] of odd) {
    const { path } = write(t, {
      mcpServers: { odd: entry, fine: { command: "true", env: null, args: null } },
    });
    const { servers, problems } = readMcpFile(path, own);
    assert.equal(servers.at(-1)?.name, "fine", JSON.stringify(entry));
    assert.match(problems.join(), words);
  }
  const { path } = write(t, '{"mcpServers": {"a": {"env": {"KEY": swan-key}}}}');
  const [problem = ""] = readMcpFile(path, own).problems;
  assert.match(problem, /it is no JSON(?: at line 1, column \d+)?\. Correct it\.$/);
  assert.doesNotMatch(problem, /swan/);
});

test("an entry of another program works, is left out with what to do, or says which of its keys are not used", (t) => {
  const url = "https://example.org/mcp";
  const leftOut: readonly (readonly [object, RegExp])[] = [
    [{ httpUrl: url }, /httpUrl is not used here: write it as "url" instead/],
    [{ serverUrl: url }, /write it as "url"/],
    [{ command: "x", envFile: ".env" }, /write its variables into "env"/],
    [{ command: "x", environment: { A: "b" } }, /write it as "env"/],
    [{ command: ["npx", "x"] }, /command: /],
    [{ url, bearer_token_env_var: "TOKEN" }, /"Authorization": "Bearer \$\{VARIABLE\}"/],
    [{ url, headersHelper: "/bin/x" }, /"headers"/],
    [{ url, oauth: { clientId: "a" } }, /"login"/],
    [{ command: "x", excludeTools: ["wipe"] }, /TOOL_PERMISSIONS=SERVER__TOOL=deny/],
    [{ command: "x", tools: ["read"] }, /TOOL_PERMISSIONS/],
    [{ type: "http", command: "x" }, /its type "http" does not fit/],
    [{ type: "ws", url }, /its type "ws" does not fit/],
    [{ command: "x", url }, /Keep one of them/],
    [{ command: "x", args: [`\${workspaceFolder}/a`] }, /\$\{workspaceFolder\} means nothing here/],
    [{ command: "x", env: { K: `\${input:key}` } }, /\$\{input:key\} means nothing here/],
    [{ url, headers: { Authorization: "Bearer {env:K}" } }, /\{env:K\} means nothing here/],
    [{ url, headers: { Authorization: "Bearer $KEY" } }, /Bearer \$KEY means nothing here/],
    [{ command: "x", cwd: `\${HOME}/a` }, /its cwd has a reference in it/],
  ];
  for (const [entry, words] of leftOut) {
    const { servers, problems } = readMcpFile(write(t, { mcpServers: { a: entry } }).path, own);
    assert.deepEqual([servers.length, problems.length], [0, 1], JSON.stringify(entry));
    assert.match(problems[0] ?? "", words);
  }
  const { servers, problems } = readMcpFile(
    write(t, {
      mcpServers: {
        a: { type: "streamableHttp", url, timeout: 60, alwaysAllow: ["a"], description: "Notes" },
        b: { type: "local", command: "x", tools: ["*"], env: { K: `\${env:KEY}` }, cwd: "~/b" },
        off: { type: "remote", url, enabled: false, envFile: ".env" },
      },
    }).path,
    own,
  );
  assert.deepEqual(problems, []);
  const [a, b] = servers;
  assert.deepEqual(
    a?.ignored.map((key) => key.replace(/ \(write .*\)$/, " (…)")),
    ["timeout (…)", "alwaysAllow (…)", "description"],
  );
  assert.ok(b?.transport.kind === "stdio" && servers.length === 2);
  assert.deepEqual([b.transport.cwd, referencesOf(b), b.ignored], ["/home/ada/b", ["KEY"], ["tools"]]);
});

test("a file with more servers than are read names those that are left out", (t) => {
  const many = Object.fromEntries(Array.from({ length: 102 }, (_, at) => [`s${at}`, { command: "x" }]));
  const { servers, problems } = readMcpFile(write(t, { mcpServers: many }).path, own);
  assert.deepEqual([servers.length, problems.length], [100, 2]);
  assert.match(readMcpFile(write(t, { server: {} }).path, own).problems[0] ?? "", /named "mcpServers"/);
});

test("a file that is missing has no servers, and one that is broken says so", (t) => {
  assert.deepEqual(readMcpFile("/nowhere/mcp.json", own), { servers: [], problems: [] });
  for (const broken of ["{", "[]", "{}", '{"mcpServers": []}', "null"]) {
    const { problems } = readMcpFile(write(t, broken).path, own);
    assert.match(problems[0] ?? "", /mcp\.json cannot be used, so its servers are not: /, broken);
  }
});

test("a file that is no plain file, or without end, is not read", (t) => {
  const { folder } = write(t, "");
  const pipe = join(folder, "pipe.json");
  execFileSync("mkfifo", [pipe]);
  const zero = join(folder, "zero.json");
  symlinkSync("/dev/zero", zero);
  const { path: large } = write(t, " ".repeat(2_000_000));
  for (const path of [pipe, zero, folder])
    assert.match(readMcpFile(path, own).problems[0] ?? "", /it is no plain file/, path);
  assert.match(readMcpFile(large, own).problems[0] ?? "", /it is larger than 1 MB/);
});

test("where a server is stands in its entry itself, so that what is judged is what is reached", (t) => {
  for (const [url, isRead] of [
    [`https://\${HOST}.example.org/mcp`, false],
    [`https://example.org:\${PORT}/mcp`, false],
    [`\${SCHEME:-https}://example.org/mcp`, false],
    [`https://example.org\${REST}`, false],
    [`https://example.org/\${TENANT}/mcp?key=\${KEY}`, true],
  ] as const) {
    const { servers, problems } = readMcpFile(write(t, { mcpServers: { a: { url } } }).path, own);
    assert.deepEqual([servers.length, problems.length], isRead ? [1, 0] : [0, 1], url);
  }
});

test("references are filled in from the environment and the vault, and a missing one gives the reason", () => {
  const read = (name: string) =>
    name === "web" ? ({ ok: true, value: "swan" } as const) : ({ ok: false, reason: `no ${name}` } as const);
  const fill = (text: string) => fillText(text, { TOKEN: "t1" }, read);
  assert.deepEqual(fill(`a \${TOKEN} \${env:TOKEN} \${vault:web} \${NONE:-d}`), {
    ok: true,
    text: "a t1 t1 swan d",
  });
  assert.deepEqual(fill(`\${vault:other}`), { ok: false, reason: "no other" });
  assert.match(JSON.stringify(fill(`\${NONE}`)), /NONE is not set/);
});

test("what servers get as keys is masked everywhere: variables, and what stands in the file itself", (t) => {
  const { path } = write(t, {
    mcpServers: {
      a: { command: "x", env: { API_KEY: "clear-key-1", LEVEL: "verbose-level" } },
      c: {
        command: "x",
        args: ["--api-key=clear-key-2", "--token", "clear-token-3", "--level", "verbose-level"],
      },
      d: { url: "https://example.org/mcp?access_token=clear-query-4&level=verbose-level" },
      b: {
        url: "https://example.org/",
        headers: { Authorization: "Bearer clear-bearer", "X-Key": `\${TOKEN}` },
      },
    },
  });
  const { servers } = readMcpFile(path, own);
  assert.deepEqual([...secretsOfServers(servers, { TOKEN: "token-value" })].sort(), [
    "clear-bearer",
    "clear-key-1",
    "clear-key-2",
    "clear-query-4",
    "clear-token-3",
    "token-value",
  ]);
});

test("a project's file declares no effects, gets no variables of the owner, and its paths are its own", (t) => {
  const { folder } = write(
    t,
    {
      mcpServers: {
        mine: { command: "x", passepartout: { read: ["docs"], tools: { wipe: "read" } } },
        greedy: { command: "x", env: { KEY: `\${OPENAI_API_KEY}` } },
        vaulted: { url: `https://example.org/\${vault:web}` },
      },
    },
    ".mcp.json",
  );
  const { servers, problems } = openProjectServers("/home/ada")(folder);
  assert.deepEqual(
    servers.map(({ name, declared, grants }) => [name, declared.size, grants.read]),
    [["mine", 0, [join(folder, "docs")]]],
  );
  assert.equal(problems.length, 2);
});
