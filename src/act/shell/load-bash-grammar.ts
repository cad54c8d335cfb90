import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { BashGrammarFiles } from "./parse.ts";

const runtimeName = "web-tree-sitter.wasm";
const grammarName = "tree-sitter-bash.wasm";

/** V8 would make optimized code of the grammar's hot functions, which are huge: half a second of a core and 500 MB, for what takes a millisecond as it is. */
const unoptimized = ["--no-wasm-dynamic-tiering", "--no-wasm-tier-up"];

/** Reads the two WebAssembly files, from beside this module in a build, else from the installed packages, and has WebAssembly run from here on as it is first compiled. Throws where neither has them. */
export async function loadBashGrammar(): Promise<BashGrammarFiles> {
  for (const option of unoptimized) setFlagsFromString(option);
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
