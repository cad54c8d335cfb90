// Draws the pictures of the README from a real session: a daemon, a provider that plays a script, and a terminal.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openStudio } from "../test/tui/recorded-session.ts";
import { showScreen } from "../test/tui/shown-screen.ts";
import { drawScreen } from "./draw-screen.ts";

/** The screens that are drawn, and the names of their files. */
const drawn: ReadonlyMap<string, string> = new Map([
  ["turn", "turn"],
  ["trial question", "question"],
]);

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const after: (() => unknown)[] = [];
try {
  const studio = await openStudio({ after: (done) => void after.push(done as () => unknown) });
  for (const background of ["dark", "light"] as const) {
    const look = { columns: 80, rows: 28, background };
    for (const { name, screen } of await studio.record(look)) {
      const file = drawn.get(name);
      if (file === undefined) continue;
      writeFileSync(
        `${folder}${file}-${background}.svg`,
        drawScreen(await showScreen(look, screen), background),
      );
      process.stdout.write(`docs/pictures/${file}-${background}.svg\n`);
    }
  }
} finally {
  for (const done of after.toReversed()) await done();
}
