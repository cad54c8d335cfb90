import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isMissing, makeWorld } from "../agent-world.ts";
import { door, install, runEmacs } from "./run-emacs.ts";

const files = readdirSync(door).filter((name) => name.endsWith(".el"));

test("the files for Emacs compile and pass checkdoc without a warning", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  assert.ok(files.includes("passepartout.el"));
  const world = await makeWorld(t);
  const program = `(progn (require 'bytecomp)
  (let ((byte-compile-error-on-warn t)
        (byte-compile-dest-file-function (lambda (file) (expand-file-name (concat (file-name-nondirectory file) "c") (getenv "HOME")))))
    (dolist (file command-line-args-left)
      (unless (byte-compile-file file) (kill-emacs 1))
      (checkdoc-file file))))`;
  const { code, said } = await runEmacs(["--eval", program, ...files.map((name) => join(door, name))], {
    environment: { ...world.environment, LC_ALL: "C.UTF-8" },
  });
  assert.equal(code, 0, said);
  assert.doesNotMatch(said, /warning/i);
});

/** The folder of Debian's package-lint; null where it is not installed. */
function packageLint(t: TestContext): string | null {
  const packages = "/usr/share/emacs/site-lisp/elpa-src";
  const names = existsSync(packages) ? readdirSync(packages) : [];
  const found = names.find((name) => name.startsWith("package-lint-") && !name.includes("flymake"));
  if (found !== undefined) return join(packages, found);
  const message = "needs package-lint: install the package elpa-package-lint";
  if (process.env["CI"] === "true") throw new Error(message);
  t.skip(message);
  return null;
}

/** The program has no page of its own yet; and Debian's package-lint may be older than Emacs 28. */
const accepted = [
  "passepartout.el:1:0: error: Package should have a Homepage or URL header.",
  "passepartout.el:4:23: warning: This makes the package uninstallable in all released Emacs versions.",
];

test("package-lint finds nothing in the files for Emacs but that they name no page of their own", async (t) => {
  const folder = packageLint(t);
  if (folder === null || isMissing(t, "emacs", install)) return;
  const world = await makeWorld(t);
  const main = `(setq package-lint-main-file "${join(door, "passepartout.el")}")`;
  const paths = files.map((name) => join(door, name));
  const lint = ["-L", folder, "--eval", main, "-l", "package-lint", "-f", "package-lint-batch-and-exit"];
  const { said } = await runEmacs([...lint, ...paths], { environment: world.environment });
  assert.match(said, /Homepage or URL/);
  const found = said.split("\n").filter((line) => / (?:error|warning): /.test(line));
  assert.deepEqual(
    found.filter((line) => !accepted.includes(line)),
    [],
  );
});
