import { copyFileSync, globSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// The entry turns on Node's compile cache before anything worth caching is loaded.
const boot = `import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
enableCompileCache(fileURLToPath(new URL(".cache", import.meta.url)));
await import("./app.js");
`;

/**
 * Bundles our own sources into a flat folder of modules. Dependencies stay outside; a dynamic import() stays one.
 * Every src file named `…-worker.ts` becomes a module of its own, and a URL that names it is rewritten to that module, but no import of it.
 */
async function bundle(folder: string): Promise<void> {
  const workers = globSync("src/**/*-worker.ts", { cwd: root }).map(
    (file) => [basename(file, ".ts"), join(root, file)] as const,
  );
  await build({
    cwd: root,
    input: { app: join(root, "src", "main.ts"), ...Object.fromEntries(workers) },
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    plugins: [
      {
        name: "worker-urls",
        transform: (code) =>
          code.replaceAll(/(?<!from )"\.\/(?:[\w-]+\/)*([\w-]+-worker)\.ts"/g, '"./$1.js"'),
      },
    ],
    output: {
      dir: folder,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
    },
    logLevel: "warn",
  });
  writeFileSync(join(folder, "main.js"), boot);
  const grammar = join(root, "node_modules", "tree-sitter-bash");
  copyFileSync(join(grammar, "tree-sitter-bash.wasm"), join(folder, "tree-sitter-bash.wasm"));
  copyFileSync(join(grammar, "LICENSE"), join(folder, "tree-sitter-bash.LICENSE"));
}

try {
  await bundle(process.argv[2] ?? join(root, "dist"));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
