// Builds the program into the folder that is given, or into dist/.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  await bundle(process.argv[2] ?? join(root, "dist"));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
