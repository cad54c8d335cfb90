import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  globSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import type { BuildManifest } from "../src/update/build-manifest.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The module of prices: the build keeps its value, in a tenth of the library's size. */
const priceSource = realpathSync(join(root, "src", "reason", "providers", "price-source.ts"));
const priceLibrary = join(root, "node_modules", "@pydantic", "genai-prices", "dist");

/** The entry: what it loads lies where an update of the installation does not reach it. */
const entry = `let boot = null;
try {
  boot = await import("./boot.js");
} catch (error) {
  process.stderr.write(\`passepartout: this installation is not whole (\${error.message}): an update may be under way. Try again in a moment; if it stays, install it again.\\n\`);
  process.exitCode = 1;
}
await boot?.runProgram(import.meta.url, (program) => import(program));
`;

/** Dependencies that find files of their own beside their code stay outside. */
const apart = [/^web-tree-sitter/];
/** What is used of them. */
const filesApart = ["package.json", "web-tree-sitter.js", "web-tree-sitter.wasm"].map((name) =>
  join("node_modules", "web-tree-sitter", name),
);

/**
 * What every command loads is one file, and what an agent in this process loads beside it is another: each file that Node
 * has to find takes a millisecond. A file holds these modules and all that they import statically.
 */
const groups = [
  {
    name: "base",
    modules: [
      "src/cli/command-line.ts",
      "src/cli/commands/ask.ts",
      "src/daemon/open-agent.ts",
      "src/signal/loop-event.ts",
      "src/shown/undo-line.ts",
      "src/shown/waiting-questions.ts",
      "src/text/format-time.ts",
    ],
  },
  {
    name: "agent",
    modules: [
      "src/daemon/serve.ts",
      "src/daemon/agent/open-local-agent.ts",
      "src/reason/providers/ai-sdk.ts",
    ],
  },
  { name: "tui", modules: ["src/tui/tui.ts"] },
  { name: "markdown", modules: ["node_modules/@earendil-works/pi-tui/dist/components/markdown.js"] },
].map(({ name, modules }, index, all) => ({
  name,
  priority: all.length - index,
  test: new Set(modules.map((path) => realpathSync(join(root, path)))),
}));

/** What the file of the screen is loaded for. It takes a tenth of a second. */
const ofScreen = /\/(?:src\/tui|node_modules\/@earendil-works\/pi-tui)\//;

/**
 * Bundles our sources and their dependencies into a flat folder of modules; a dynamic import() stays one.
 * Every src file named `…-worker.ts` becomes a module of its own, and a URL that names it is rewritten to that module, but no import of it.
 */
export async function bundle(
  folder: string,
  { sourceMaps }: { readonly sourceMaps: boolean } = { sourceMaps: false },
): Promise<void> {
  const workers = globSync("src/**/*-worker.ts", { cwd: root }).map(
    (file) => [basename(file, ".ts"), join(root, file)] as const,
  );
  const { output } = await build({
    cwd: root,
    input: { app: join(root, "src", "main.ts"), ...Object.fromEntries(workers) },
    platform: "node",
    external: apart,
    plugins: [
      {
        name: "price-table",
        async load(id) {
          if (id !== priceSource) return null;
          const { priceTable } = await import("../src/reason/providers/price-source.ts");
          const json = JSON.stringify(JSON.stringify(priceTable));
          return { code: `export const priceTable = JSON.parse(${json});`, moduleType: "js" };
        },
      },
      {
        name: "worker-urls",
        transform(code) {
          const replaced = code.replaceAll(/(?<!from )"\.\/(?:[\w-]+\/)*([\w-]+-worker)\.ts"/g, '"./$1.js"');
          return replaced === code ? null : { code: replaced, map: null };
        },
      },
    ],
    output: {
      dir: folder,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      sourcemap: sourceMaps,
      codeSplitting: { groups: groups.map((group) => ({ ...group, test: (id) => group.test.has(id) })) },
    },
    logLevel: "warn",
  });
  // What helps where the installation is damaged is one file, which shares nothing with the others.
  await build({
    cwd: root,
    input: { boot: join(root, "src", "update", "boot.ts") },
    platform: "node",
    output: { dir: folder, format: "esm", entryFileNames: "[name].js", sourcemap: sourceMaps },
    logLevel: "warn",
  });
  const chunks = output.filter((file) => file.type === "chunk");
  const screen = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith("/src/tui/tui.ts")));
  for (const { imports, moduleIds } of chunks) {
    const [first] = moduleIds;
    if (first === undefined || screen === undefined || !imports.includes(screen.fileName)) continue;
    if (!moduleIds.some((id) => ofScreen.test(id)))
      throw new Error(
        `${first} loads the screen for a module that both use: name that module in the group "base" of scripts/bundle.ts.`,
      );
  }
  writeFileSync(join(folder, "main.js"), entry);
  writeFileSync(join(folder, "passepartout.1"), await makeManPage());
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  writeFileSync(join(folder, "libraries.LICENSE"), licencesOf([...modules, priceLibrary]));
  const grammar = join(root, "node_modules", "tree-sitter-bash");
  copyFileSync(join(grammar, "tree-sitter-bash.wasm"), join(folder, "tree-sitter-bash.wasm"));
  copyFileSync(join(grammar, "LICENSE"), join(folder, "tree-sitter-bash.LICENSE"));
  cpSync(join(root, "src", "doors", "emacs"), join(folder, "emacs"), { recursive: true });
  const engine = join(root, "node_modules", "@jitl", "quickjs-wasmfile-release-sync", "dist");
  copyFileSync(join(engine, "emscripten-module.wasm"), join(folder, "emscripten-module.wasm"));
  writeFileSync(join(folder, "build.json"), JSON.stringify(await describeBuild(folder)));
}

/** What the build says of itself: its id follows from all that it runs on. */
async function describeBuild(folder: string): Promise<BuildManifest> {
  const { databaseVersion } = await import("../src/memory/state/schema.ts");
  const own = readdirSync(folder).filter((name) => name.endsWith(".js") || name.endsWith(".wasm"));
  const files = [
    ...own.sort().map((name) => [join("dist", name), join(folder, name)] as const),
    ...filesApart.map((name) => [name, join(root, name)] as const),
  ];
  const digest = createHash("sha256");
  for (const [name, path] of files) digest.update(`${name}\n`).update(readFileSync(path));
  const [version = ""] = manifestOf(root, "version");
  return {
    id: `${version}-${digest.digest("hex").slice(0, 12)}`,
    version,
    database: databaseVersion,
    files: Object.fromEntries(files.map(([name, path]) => [name, statSync(path).size])),
  };
}

/** The manual page, from the table of commands; of the day that SOURCE_DATE_EPOCH names where a build has to be the same again. */
async function makeManPage(): Promise<string> {
  const { manPage } = await import("../src/cli/table/man-page.ts");
  const [version = ""] = manifestOf(root, "version");
  const seconds = Number(process.env["SOURCE_DATE_EPOCH"] ?? Math.floor(Date.now() / 1000));
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  return manPage({ version, day });
}

/** The names and licences of the packages that these modules belong to. A package without a licence file of its own names its licence. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const [name, version, licence] = manifestOf(folder, "name", "version", "license");
    const file = readdirSync(folder).find((found) => /^licen[cs]e/i.test(found));
    const text = file === undefined ? `Licence: ${licence}\n` : readFileSync(join(folder, file), "utf8");
    return `${name} ${version}\n\n${text}`;
  });
  return texts.join(`\n${"-".repeat(72)}\n\n`);
}

/** Words of a package's manifest. Throws where it has no such word. */
function manifestOf(folder: string, ...keys: readonly string[]): readonly string[] {
  const path = join(folder, "package.json");
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  return keys.map((key) => {
    const word: unknown = Reflect.get(Object(manifest), key);
    if (typeof word !== "string") throw new Error(`${path} has no ${key}.`);
    return word;
  });
}
