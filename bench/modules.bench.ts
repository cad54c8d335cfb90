import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../scripts/bundle.ts";
import { startLoopbackProvider } from "../test/loopback-provider.ts";
import { startBenchDaemon } from "./daemon-world.ts";
import { cascadeOf, makeWorld } from "./world.ts";

// Which modules of the build a command loads, and which of them it does not run: no function of theirs was called.

/** What V8 writes of one script: the first range of a function is the whole of it. */
type ScriptCoverage = {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
};

/** Modules by their paths in the repository. */
type Loaded = {
  readonly files: number;
  readonly loaded: ReadonlySet<string>;
  readonly idle: readonly string[];
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const own = /(?:^|\/)((?:src|packages\/\w+\/src)\/.*\.ts)$/;
const version = ["--version"];
const ask = ["ask", "hi"];

mkdirSync(join(root, ".passepartout"), { recursive: true });
const build = mkdtempSync(join(root, ".passepartout", "modules-bench-"));
try {
  await bundle(build, { sourceMaps: true });
  await using provider = await startLoopbackProvider([{ text: ["Hello", " there"], repeat: true }]);
  const environment = cascadeOf(provider.url);
  using alone = makeWorld();
  await load(alone.run, ask, environment);
  report("passepartout --version", await load(alone.run, version, environment));
  report("passepartout ask hi", await load(alone.run, ask, environment));
  const daemon = await startBenchDaemon(environment);
  const beside = makeWorld(daemon.home);
  report("passepartout ask hi, with a daemon", await load(beside.run, ask, environment));
  await daemon.stop();
} finally {
  rmSync(build, { recursive: true, force: true });
}

/** Runs a command of the build, and reads what it loaded. */
async function load(
  run: ReturnType<typeof makeWorld>["run"],
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Loaded> {
  const folder = mkdtempSync(join(build, "coverage-"));
  const command = [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    join(build, "main.js"),
    ...args,
  ];
  const { code, err } = await run(command, { ...environment, NODE_V8_COVERAGE: folder });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${err}`);
  const scripts = readdirSync(folder).flatMap((file) => scriptsIn(join(folder, file)));
  const loaded = new Set<string>();
  const withFunctions = new Set<string>();
  const ran = new Set<string>();
  for (const script of scripts) {
    for (const { file, called } of functionsIn(script, loaded)) {
      withFunctions.add(file);
      if (called) ran.add(file);
    }
  }
  const idle = [...loaded].filter((file) => withFunctions.has(file) && !ran.has(file)).sort();
  return { files: scripts.length, loaded, idle };
}

function scriptsIn(file: string): readonly ScriptCoverage[] {
  return readCoverage(file).result.filter(({ url }) => url.includes(basename(build)));
}

/** The functions of a file of the build, each with the module that it comes from. Adds every module of the file to `loaded`. */
function functionsIn(
  { url, functions }: ScriptCoverage,
  loaded: Set<string>,
): readonly { readonly file: string; readonly called: boolean }[] {
  const path = fileURLToPath(url);
  const text = readFileSync(path, "utf8");
  if (!text.includes("//# sourceMappingURL=")) return [];
  const payload = readPayload(`${path}.map`);
  for (const source of payload.sources) {
    const file = moduleOf(source);
    if (file !== null) loaded.add(file);
  }
  const map = new SourceMap(payload);
  const lines = lineStarts(text);
  return functions.flatMap(({ ranges: [whole] }) => {
    if (whole === undefined || whole.startOffset === 0) return [];
    const line = lines.findLastIndex((start) => start <= whole.startOffset);
    const entry = map.findEntry(line, whole.startOffset - (lines[line] ?? 0));
    const file = "originalSource" in entry ? moduleOf(entry.originalSource) : null;
    return file === null ? [] : [{ file, called: whole.count > 0 }];
  });
}

function readCoverage(file: string): { readonly result: readonly ScriptCoverage[] } {
  return JSON.parse(readFileSync(file, "utf8"));
}

function readPayload(file: string): SourceMapPayload {
  return JSON.parse(readFileSync(file, "utf8"));
}

function moduleOf(source: string): string | null {
  return source.includes("/node_modules/") ? null : (own.exec(source)?.[1] ?? null);
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function report(name: string, { files, loaded, idle }: Loaded): void {
  process.stdout.write(
    `${name}: ${loaded.size} modules in ${files} files loaded, ${idle.length} of them not run\n`,
  );
  for (const file of idle) process.stdout.write(`  ${file}\n`);
}
