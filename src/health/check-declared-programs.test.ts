import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder, sandboxFor } from "../act/tools/shell/shell.fixture.ts";
import { checkDeclaredPrograms } from "./check-declared-programs.ts";

test("the doctor names the programs that commands do not see, with the setting that shows them, and what is shown", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const home = await makeScratchFolder(context);
  const bin = join(home, ".nvm/versions/v20/bin");
  await mkdir(bin, { recursive: true });
  for (const name of ["npm", "node", "other"]) {
    await writeFile(join(bin, name), "#!/bin/sh\n");
    await chmod(join(bin, name), 0o755);
  }
  await writeFile(join(bin, ".env"), "");
  const check = (programFolders: readonly string[]) =>
    checkDeclaredPrograms({
      scan: () => [],
      config: { programFolders },
      folders: { home, notes: join(home, "memex"), own: [] },
      isSecretPath: (path) => path.endsWith(".env"),
      searchPath: `${bin}:/usr/bin:/bin`,
    });
  const [found, ...others] = await check([]);
  assert.deepEqual(others, []);
  assert.equal(found?.result, "finding");
  assert.match(found?.text ?? "", new RegExp(`npm .*${bin}/npm`));
  assert.match(found?.text ?? "", /passepartout config set PROGRAM_FOLDERS ~\/\.nvm$/);
  assert.doesNotMatch(found?.text ?? "", /other/);
  const text = `commands see the programs of ${join(home, ".nvm")}; covered in them: 1`;
  assert.deepEqual(await check([join(home, ".nvm")]), [{ name: "programs", result: "ok", text }]);
  const gone = await check([join(home, ".gone"), join(home, ".nvm")]);
  assert.match(gone[0]?.text ?? "", /\.gone, and no command sees it: there is no such folder/);
});
