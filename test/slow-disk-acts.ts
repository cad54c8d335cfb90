import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentWorld, calls } from "./agent-world.ts";
import type { Step } from "./loopback-provider.ts";

/** Something that a person says, and the answers of the model. */
export type SlowDiskAct = { readonly name: string; readonly words: string; readonly steps: readonly Step[] };

const act = (name: string, args: object): SlowDiskAct => ({
  name,
  words: `${name} ${Object.values(args).join(" ")}`,
  steps: [calls([name, args]), { text: "Done." }],
});

/** What touches the workspace and the notes: reading, listing, searching, writing, commands, undo, notes. */
export const slowDiskActs: readonly SlowDiskAct[] = [
  { name: "words alone", words: "boiler?", steps: [{ text: "Yes." }] },
  act("read-file", { path: "a/f1.txt" }),
  act("list-files", { path: "." }),
  act("search-files", { pattern: "needle", path: "." }),
  act("write-file", { path: "new.txt", content: "x" }),
  act("edit-file", { path: "a/f1.txt", old: "line", new: "lane" }),
  act("shell", { cmd: "cat a/f2.txt" }),
  { name: "/undo", words: "/undo", steps: [] },
  { name: "/note", words: "/note Buy a boiler", steps: [] },
  act("recall", { query: "boiler" }),
  act("remember", { text: "The boiler is old" }),
  { name: "/agenda", words: "/agenda", steps: [] },
];

/** Fills the workspace and the notes folder of a world, and gives the latter. */
export function fillSlowDisk({ home, path }: AgentWorld): string {
  const notes = join(home, "memex");
  mkdirSync(join(notes, "sub"), { recursive: true });
  for (let at = 0; at < 30; at += 1) {
    const drawer = `:PROPERTIES:\n:ID: n${at}\n:END:\n`;
    writeFileSync(
      join(notes, at % 2 === 0 ? "" : "sub", `n${at}.org`),
      `* Note ${at}\n${drawer}Boiler ${at}\n`,
    );
  }
  for (const folder of ["a", "a/b", "c"]) {
    mkdirSync(path(folder));
    for (let at = 0; at < 10; at += 1) writeFileSync(path(`${folder}/f${at}.txt`), `needle ${at}\nline\n`);
  }
  writeFileSync(path("package.json"), "{}");
  return notes;
}
