import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { GrammarFiles } from "./parse.ts";

const runtimeName = "web-tree-sitter.wasm";
const grammarName = "tree-sitter-bash.wasm";

/** Reads the two WebAssembly files: from beside this module in a build, else from the installed packages. Throws where neither has them. */
export async function locateGrammar(): Promise<GrammarFiles> {
  const [runtime, grammar] = await Promise.all([
    readFirst(runtimeName, `web-tree-sitter/${runtimeName}`),
    readFirst(grammarName, `tree-sitter-bash/${grammarName}`),
  ]);
  return { runtime, grammar };
}

async function readFirst(beside: string, packaged: string): Promise<Uint8Array> {
  const near = fileURLToPath(new URL(beside, import.meta.url));
  try {
    return await readFile(near);
  } catch (fault) {
    const missing = fault instanceof Error && "code" in fault && fault.code === "ENOENT";
    if (!missing) throw fault;
    return await readFile(createRequire(import.meta.url).resolve(packaged));
  }
}
