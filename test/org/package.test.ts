import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = mkdtempSync(join(tmpdir(), "passepartout-org-package-"));
const project = join(folder, "project");
const installed = join(project, "node_modules", "@passepartout", "org");
after(() => rmSync(folder, { recursive: true }));

/** Runs a program of this Node, and gives what it prints. */
function run(cwd: string, program: string, ...args: readonly string[]): Buffer {
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, npm_config_cache: join(folder, "npm-cache") };
  return execFileSync(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
}

before(() => {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "name": "reader", "private": true, "type": "module" }');
  run(root, "npm", "pack", "--workspace", "packages/org", `--pack-destination=${folder}`);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "no tarball";
  run(project, "npm", "install", "--offline", "--no-audit", "--no-fund", join(folder, tarball));
});

test("the package holds its code, its types, its licence and its manifest, and depends on nothing", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const expected = /^(package\.json|LICENSE|README\.md|org\.js|[\w-]+\.d\.ts)$/;
  assert.deepEqual(
    files.filter(({ name }) => !expected.test(name)),
    [],
  );
  const manifest: unknown = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.deepEqual(
    ["dependencies", "peerDependencies", "optionalDependencies"].filter((key) => key in Object(manifest)),
    [],
  );
  assert.equal(Reflect.get(Object(manifest), "license"), "MIT");
});

test("a project that installs the package prints a CRLF file back byte for byte", () => {
  const bytes = Buffer.from(
    "\uFEFF#+TITLE: a\r\n* TODO [#A] b :c:\r\n:PROPERTIES:\r\n:ID: x\r\n:END:\r\nd\r\n",
  );
  writeFileSync(join(project, "notes.org"), bytes);
  writeFileSync(
    join(project, "print.js"),
    `import { readFileSync } from "node:fs";
import { decodeOrgText, encodeOrgText, parseOrg, printOrg } from "@passepartout/org";
const source = decodeOrgText(readFileSync("notes.org"));
process.stdout.write(encodeOrgText({ ...source, text: printOrg(source.text, parseOrg(source.text)) }));
`,
  );
  assert.deepEqual(run(project, process.execPath, "print.js"), bytes);
});

const typed = `import { editOrg, type Headline, scanOutline } from "@passepartout/org";
const outline = scanOutline("* TODO a :b:");
export const tags: readonly string[] = outline.headlines.flatMap((headline: Headline) => headline.tags?.names ?? []);
const now = { year: 2024, month: 1, day: 1, hour: null, minute: null };
export const edited: string = editOrg(outline.text, [{ op: "todo", at: "a", state: "DONE" }], {
  now,
  newId: () => "1",
}).text;
`;

/** What the compiler says of a source; `lib` are the libraries that its world has. */
function compile(
  [module, resolution]: readonly [string, string],
  source: string,
  lib: readonly string[] = ["es2023"],
): string {
  writeFileSync(join(project, "use.ts"), source);
  const options = { module, moduleResolution: resolution, target: "es2023", lib, types: [] };
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...options, strict: true, noEmit: true }, files: ["use.ts"] }),
  );
  try {
    return run(project, join(root, "node_modules", ".bin", "tsc")).toString();
  } catch (error) {
    return String(Reflect.get(Object(error), "stdout"));
  }
}

for (const [module, resolution] of [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
] as const) {
  test(`the compiler sees the package's types with ${resolution} resolution, and no types of Node`, () => {
    assert.equal(compile([module, resolution], typed), "");
    assert.match(compile([module, resolution], typed.replace("readonly string[]", "number")), /TS2322/);
  });
}

test("the package runs in a browser: it imports nothing and names nothing that only Node has", async () => {
  writeFileSync(
    join(project, "page.js"),
    'import * as org from "@passepartout/org";\nglobalThis.org = org;\n',
  );
  const { output } = await build({
    cwd: project,
    input: join(project, "page.js"),
    platform: "browser",
    write: false,
    logLevel: "silent",
    onLog: (_, log) => {
      throw new Error(log.message);
    },
  });
  assert.equal(output.length, 1);
  const [chunk] = output;
  assert.deepEqual([...chunk.imports, ...chunk.dynamicImports], []);
  assert.doesNotMatch(chunk.code, /["'`]node:|\brequire\(|\bprocess\.|\bBuffer\b|\b__dirname\b/);
});

const readme = readFileSync(join(root, "packages", "org", "README.md"), "utf8");
const examples = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code = ""]) => code);

test("each example of the README prints what its comments say, and compiles", () => {
  assert.equal(examples.length, 4);
  for (const code of examples) {
    writeFileSync(join(project, "example.ts"), code);
    const expected = Array.from(code.matchAll(/\/\/ → (.*)/g), ([, line = ""]) => `${line}\n`);
    assert.equal(run(project, process.execPath, "example.ts").toString(), expected.join(""));
    assert.equal(compile(["esnext", "bundler"], code, ["es2024", "dom"]), "");
  }
});
