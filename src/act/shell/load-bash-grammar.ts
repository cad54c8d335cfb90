import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { BashGrammarFiles } from "./parse.ts";

const runtimeName = "web-tree-sitter.wasm";
const grammarName = "tree-sitter-bash.wasm";

/** Without these, V8 optimizes the grammar's huge functions: half a second of CPU time and 500 MB, for work that takes a millisecond without. */
const unoptimized = ["--no-wasm-dynamic-tiering", "--no-wasm-tier-up"];

/** Reads the two WebAssembly files: beside this module in a build, else from the installed packages. Also switches V8's WebAssembly optimizer off. Throws if the files are in neither place. */
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
