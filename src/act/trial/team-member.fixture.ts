import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files/replace.ts";
import { undoFile } from "../files/undo-file.ts";
import { openCommandOverlays } from "./command-overlays.ts";
import { rememberNothing } from "./workshop.fixture.ts";

// A member of a team changes files in the team's folder: node team-member.fixture.ts WORKSPACE STATE. Prints
// what commands are told of an overlay of the folder.
const [workspace = "", state = ""] = process.argv.slice(2);
const keepPreImage = async () => "";
const edited = Buffer.from("edited\n");

async function edit(name: string, before: Uint8Array | null): Promise<void> {
  const path = join(workspace, name);
  const replaced = await replaceFile({ path, before, after: edited, mode: null, keepPreImage });
  if (!replaced.ok) throw new Error(replaced.message);
}

for (const name of ["theirs", "own", "undone"]) await edit(name, readFileSync(join(workspace, name)));
await edit("made", null);
const preImage = { bytes: Buffer.from("plan\n"), mode: 0o664 };
await undoFile({ path: join(workspace, "undone"), from: edited, preImage, keepPreImage });
const refused = await replaceFile({
  path: join(workspace, "closed"),
  before: Buffer.from("plan\n"),
  after: edited,
  mode: null,
  keepPreImage,
});
const problem = await openCommandOverlays(state, rememberNothing).problem(workspace);
process.stdout.write(JSON.stringify({ refused: refused.ok ? "" : refused.code, problem }));
