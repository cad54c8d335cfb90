// Draws the table of the built-in skills into docs/skills.md, between its two markers. A test checks that the page has what this draws.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuiltInSkill } from "../src/skills/built-in/built-in-skill.ts";
import { builtInSkills } from "../src/skills/built-in/table.ts";
import { builtInSkillProofs } from "../test/built-in-skill-proofs.ts";

const page = join(dirname(dirname(fileURLToPath(import.meta.url))), "docs", "skills.md");
const begin = "<!-- drawn by scripts/draw-skills.ts -->\n";
const end = "<!-- end of the table -->";

/** Draws a row for each skill: its name, what it does, when it takes part, what it brings, its effects, its cost and its test. */
export function drawSkills(skills: readonly BuiltInSkill[]): string {
  const rows = skills.map((skill) => `| ${cellsOf(skill).join(" | ")} |\n`);
  const head = "| skill | it | takes part | brings | effects | cost | test |\n";
  return `${begin}${head}${"| --- ".repeat(7)}|\n${rows.join("")}${end}`;
}

/** Replaces the table of a page. */
export function replaceSkills(text: string, drawing: string): string {
  const [first, last] = [text.indexOf(begin), text.indexOf(end)];
  if (first === -1 || last < first) throw new Error(`docs/skills.md has lost its markers: ${begin}${end}`);
  return text.slice(0, first) + drawing + text.slice(last + end.length);
}

function cellsOf(skill: BuiltInSkill): readonly string[] {
  const { name, does, trigger, tools, commands, gates, jobs, effects, cost } = skill;
  const { words = [], sensor } = trigger ?? {};
  const code = (names: readonly string[]) => names.map((one) => `\`${one}\``);
  const brings = [
    ...code(tools),
    ...code(commands.map((command) => `/${command}`)),
    ...gates.map((gate) => `gate \`${gate}\``),
    ...jobs.map((job) => `job \`${job}\``),
  ];
  const at = [...words, ...(sensor === undefined ? [] : [`sensor \`${sensor}\``])].join(", ");
  return [
    `\`${name}\``,
    does,
    trigger === null ? "every turn" : at,
    brings.join(", ") || "–",
    effects.join(", ") || "–",
    cost,
    `\`${builtInSkillProofs.get(name) ?? ""}\``,
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(page, replaceSkills(readFileSync(page, "utf8"), drawSkills(builtInSkills)));
}
