import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openInstalledPrograms } from "../act/shell/installed-programs.ts";
import { checkSeenPrograms } from "./check-seen-programs.ts";

test("doctor says of which folders of PATH commands see the programs whole, in part, and not at all", async (context) => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "seen-programs-")));
  context.after(() => rmSync(home, { recursive: true }));
  for (const folder of [".nvm/v20/bin", "bin", "memex/bin", "Documents"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, "Documents/letter"), "");
  symlinkSync(join(home, ".nvm/v20"), join(home, ".node"));
  const checksOf = async (searchPath: readonly string[]) =>
    checkSeenPrograms(
      openInstalledPrograms({
        searchPath: searchPath.join(":"),
        isSecretPath: () => false,
        scan: () => [],
        folders: { home, notes: join(home, "memex"), own: [] },
      }),
    );
  const at = (name: string): string => join(home, name);
  const [seen, ...unseen] = await checksOf([".node/bin", "bin", "memex/bin", "Documents", "none"].map(at));
  assert.equal(seen?.result, "ok");
  assert.match(
    seen.text,
    /of \S+\/\.node\/bin with all that lies beside them; of \S+\/bin with the code beside it alone/,
  );
  assert.match(seen.text, /is or holds your home folder/);
  assert.deepEqual(
    unseen.map(({ result }) => result),
    ["finding", "finding"],
  );
  assert.match(
    unseen[0]?.text ?? "",
    /programs of \S+\/memex\/bin, which PATH names: \S+ has notes or files of the agent in it/,
  );
  assert.match(
    unseen[1]?.text ?? "",
    /programs of \S+\/Documents, .*may hold documents.*Keep them in a hidden folder/,
  );
  assert.deepEqual(await checksOf(["/usr/bin", "relative"]), []);
});
