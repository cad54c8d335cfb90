// Builds the Org package into packages/org/dist: one module without imports, and the declarations of its types.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "packages", "org");

rmSync(join(folder, "dist"), { recursive: true, force: true });
await build({
  cwd: folder,
  input: { org: join(folder, "src", "org.ts") },
  platform: "neutral",
  output: { dir: join(folder, "dist"), format: "esm" },
  logLevel: "warn",
});
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
execFileSync(process.execPath, [compiler, "--project", folder], { stdio: ["ignore", 2, 2] });
