import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { features } from "../agent/features.ts";
import { commandTable } from "../cli/table/command-table.ts";
import { programHelp } from "../cli/table/program-help.ts";
import type { CommandSpec } from "./command-spec.ts";
import { helpOf } from "./help-text.ts";
import { synopsisOf } from "./synopsis.ts";

const whole = commandTable.flatMap((command): readonly CommandSpec[] => [command, ...(command.parts ?? [])]);

test("the synopsis of a command groups the verbs that take the same options", () => {
  const synopses = new Map(whole.map((command) => [command.name, synopsisOf(command)]));
  assert.deepEqual(synopses.get("config"), [
    "passepartout config list | get NAME [--show-origin] [--json]",
    "passepartout config set NAME VALUE | unset NAME [--dry-run] [--json]",
  ]);
  assert.deepEqual(synopses.get("doctor"), [
    "passepartout doctor [--fix [--dry-run] | --watch] [--quick] [--json]",
  ]);
  assert.deepEqual(synopses.get("ask"), [
    "passepartout ask [TEXT] [--json] [--quiet] [--session NAME | --continue] [--attach FILE]",
  ]);
  assert.deepEqual(synopses.get("sessions"), [
    "passepartout sessions [list] | show ID | rename ID NAME | fork ID | delete ID [--json]",
  ]);
});

test("each command's help names every verb and option on a line of its own, and its exit codes", () => {
  for (const command of whole) {
    const lines = helpOf(command).split("\n");
    const [synopsis = ""] = [synopsisOf(command).join(" ")];
    for (const { name, help } of command.verbs ?? []) {
      assert.ok(help !== "" && lines.some((line) => line.startsWith(`  ${name}`)), `${command.name} ${name}`);
      assert.ok(synopsis.includes(name), `${command.name} ${name}`);
    }
    for (const [name, { type, value, help }] of Object.entries(command.options)) {
      assert.ok(help !== "" && lines.some((line) => line.includes(`--${name}`)), `${command.name} --${name}`);
      assert.ok(synopsis.includes(`--${name}`), `${command.name} --${name} in ${synopsis}`);
      assert.equal(
        value !== undefined,
        type === "string",
        `${command.name} --${name} has no name for its value`,
      );
    }
    assert.match(lines.at(-1) ?? "", /^Exit codes: 0 .*, 2 .*\.$/, command.name);
  }
});

test("the specs name only options and verbs that there are", () => {
  for (const { name, options, verbs = [], either = [], usualVerb } of whole) {
    const named = [...either.flat(), ...Object.values(options).flatMap(({ beside = [] }) => beside)];
    for (const option of named) assert.ok(Object.hasOwn(options, option), `${name} --${option}`);
    const known = new Set(verbs.map((verb) => verb.name));
    for (const verb of Object.values(options).flatMap((option) => option.verbs ?? []))
      assert.ok(known.has(verb), `${name} ${verb}`);
    assert.ok(usualVerb === undefined || known.has(usualVerb), name);
  }
});

test("a command of a feature is called by the name and aliases of its spec", async () => {
  for (const { name, aliases, spec } of features.flatMap(({ commands }) => commands)) {
    const told = await spec();
    assert.deepEqual([name, aliases], [told.name, told.aliases]);
  }
});

test("the program's help lists every command, and no row of it breaks a terminal of 120 columns", () => {
  const help = programHelp({ version: "1.2.3", description: "an agent" });
  for (const { name } of commandTable)
    assert.match(help, new RegExp(`^ {2}passepartout ${name}(?: |$)`, "m"));
  const wide = help.split("\n").filter((line) => line.length > 130);
  assert.deepEqual(wide, []);
});

test("docs/commands.md has a row for each command, with the synopsis of its help", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/commands.md", import.meta.url)), "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| `passepartout "))
    .map((line) => line.slice(2).split(" | ").at(0) ?? "");
  const cellOf = (command: CommandSpec): string =>
    synopsisOf(command)
      .map((line) => `\`${line.replaceAll("|", "\\|")}\``)
      .join("<br>");
  const wanted = commandTable.flatMap((command) => (command.parts ?? [command]).map(cellOf));
  const programs = rows.filter((row) => !row.startsWith("`passepartout --version`"));
  assert.deepEqual(programs.toSorted(), wanted.toSorted());
});
