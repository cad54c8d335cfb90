import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { agendaFor, agendaTimestamps, decodeOrgText, scanOutline } from "#org";

const data = join(import.meta.dirname, "..", "..", "..", "shared", "data", "org");
const archive = join(data, "golden.tar.gz");
const skip = existsSync(archive) ? false : "the data beside the project is not here";

/** Days between the first and the last of a golden, both included. */
function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
}

test("every golden of the agenda comes out exactly", { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "goldens-"));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync("tar", ["-xzf", archive, "-C", folder, "golden/agenda"]);
  const goldens = readdirSync(join(folder, "golden", "agenda"));
  assert.ok(goldens.length >= 5, "the goldens are there");
  for (const name of goldens) {
    const theirs = readFileSync(join(folder, "golden", "agenda", name), "utf8")
      .trimEnd()
      .split("\n");
    const today = /(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(name)?.[1] ?? "";
    assert.deepEqual(agendaLike(theirs, today), theirs, name);
  }
});

function fieldOf(line: string, name: string): string {
  return new RegExp(`"${name}":"([^"]*)"`).exec(line)?.[1] ?? "";
}

/** Our agenda of the file and the days of a golden, in its form. */
function agendaLike(golden: readonly string[], today: string): readonly string[] {
  const dates = golden.map((line) => fieldOf(line, "date"));
  const file = fieldOf(golden[0] ?? "", "file");
  const [from = "", to = ""] = [dates[0], dates.at(-1)];
  const path = ["corpus", "synthetic"].map((part) => join(data, part, file)).find(existsSync) ?? "";
  const { text } = decodeOrgText(readFileSync(path));
  const outline = scanOutline(text);
  const stamps = agendaTimestamps(outline, { category: "" }).map(({ index, timestamp }) => {
    const begin = Array.from(text.slice(0, outline.headlines[index]?.begin)).length;
    return { file, begin, timestamp };
  });
  const lines = agendaFor(stamps, { from, days: daysBetween(from, to), today });
  const printed = lines.map((line) => {
    const { date, located, type, txt, time, extra } = line;
    if (type === "problem") return JSON.stringify({ date, file, error: extra });
    const { todo, inheritedTags, localTags } = located.timestamp.headline;
    const tags = [...inheritedTags, ...localTags];
    return JSON.stringify({ date, file, begin: located.begin, type, txt, todo, tags, time, extra });
  });
  // A habit that is not sound ends Emacs's look at its file.
  const broken = new Set(lines.filter(({ type }) => type === "problem").map(({ date }) => date));
  return printed.filter((line, at) => !broken.has(lines[at]?.date ?? "") || line.includes('"error":'));
}
