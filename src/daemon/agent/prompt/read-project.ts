import { join } from "node:path";
import { textOfFile } from "../../../act/shell/text-of-file.ts";
import type { Project } from "../../../signal/project.ts";
import { isJsonObject, type JsonObject } from "../../../text/json.ts";
import { parseJson } from "../../../text/parse-json.ts";

/** The project of a session's folder, read when it is asked for. */
export function makeProjectPort(workspaceOf: (session: string) => Promise<string | null>) {
  return async (session: string): Promise<Project | null> => {
    const workspace = await workspaceOf(session);
    return workspace === null ? null : await readProject(workspace);
  };
}

/** Recognises how the project of a folder is tested and formatted. Only names of commands that are known here come out, and no words of its files. */
async function readProject(folder: string): Promise<Project> {
  const text = (name: string): Promise<string | null> => textOfFile(join(folder, name));
  const isThere = async (...names: readonly string[]): Promise<boolean> => {
    for (const name of names) if ((await text(name)) !== null) return true;
    return false;
  };
  const manifest = parse((await text("package.json")) ?? "");
  const python = (await text("pyproject.toml")) ?? "";
  const makefile = (await text("Makefile")) ?? (await text("makefile")) ?? "";
  const [cargo, go] = [await isThere("Cargo.toml"), await isThere("go.mod")];
  const runner = await runnerOf(isThere);
  const ofPython =
    /^\[tool\.pytest/m.test(python) || (await isThere("pytest.ini", "conftest.py", "tests/conftest.py"));
  return {
    isRepository: (await text(".git/HEAD")) !== null,
    test: firstOf([
      [hasTests(manifest), `${runner} test`],
      [/^test\s*:/m.test(makefile), "make test"],
      [/^check\s*:/m.test(makefile), "make check"],
      [cargo, "cargo test"],
      [go, "go test ./..."],
      [ofPython, "pytest"],
      [await isThere("mix.exs"), "mix test"],
      [await isThere("pom.xml"), "mvn test"],
      [await isThere("build.gradle", "build.gradle.kts"), "gradle test"],
    ]),
    format: firstOf([
      [typeof scriptsOf(manifest)["format"] === "string", `${runner} run format`],
      [dependsOn(manifest, "@biomejs/biome"), "npx biome format --write ."],
      [dependsOn(manifest, "prettier"), "npx prettier --write ."],
      [/^(?:format|fmt)\s*:/m.test(makefile), /^format\s*:/m.test(makefile) ? "make format" : "make fmt"],
      [cargo, "cargo fmt"],
      [go, "gofmt -w ."],
      [/^\[tool\.ruff/m.test(python), "ruff format"],
      [/^\[tool\.black/m.test(python), "black ."],
    ]),
  };
}

function firstOf(found: readonly (readonly [boolean, string])[]): string | null {
  return found.find(([is]) => is)?.[1] ?? null;
}

async function runnerOf(isThere: (...names: readonly string[]) => Promise<boolean>): Promise<string> {
  if (await isThere("pnpm-lock.yaml")) return "pnpm";
  return (await isThere("yarn.lock")) ? "yarn" : "npm";
}

/** The script that `npm init` writes is no test. */
function hasTests(manifest: JsonObject): boolean {
  const { test } = scriptsOf(manifest);
  return typeof test === "string" && !test.includes("no test specified");
}

function scriptsOf({ scripts }: JsonObject): JsonObject {
  return isJsonObject(scripts) ? scripts : {};
}

function dependsOn({ devDependencies, dependencies }: JsonObject, name: string): boolean {
  return [devDependencies, dependencies].some((one) => isJsonObject(one) && name in one);
}

function parse(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}
