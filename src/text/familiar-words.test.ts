import assert from "node:assert/strict";
import { test } from "node:test";
import { commandTable } from "../cli/table/command-table.ts";
import { insteadOf } from "./familiar-words.ts";

const words =
  "-p --print exec run chat -r --resume resume history -m --model --yolo --full-auto --permission-mode -C --cd --add-dir --output-format login logout upgrade start serve status logs cron uninstall";
const verbs = "mcp/add mcp/remove skill/add skill/remove jobs/delete review/approve review/deny";
const names = commandTable.map(({ name }) => name);

test("a verb of another agent hides no verb of ours, and what it names instead is there", () => {
  const ours = new Set(
    commandTable.flatMap(({ name, verbs = [] }) => verbs.map((verb) => `${name}/${verb.name}`)),
  );
  for (const given of verbs.split(" ")) {
    assert.ok(!ours.has(given), `${given} is a verb of ours`);
    const [, command = "", verb = ""] = /passepartout ([a-z]+) ([a-z]+)/.exec(insteadOf(given) ?? "") ?? [];
    assert.ok(ours.has(`${command}/${verb}`), `${given} names ${command} ${verb}`);
  }
});

test("a word of another agent hides no command of ours, and what it names instead is there", () => {
  for (const word of words.split(" ")) {
    assert.notEqual(insteadOf(word), null, word);
    assert.ok(!names.includes(word), `${word} is a command of ours`);
    const options = commandTable.filter(({ name }) => ["tui", "cli", "ask"].includes(name));
    for (const { name, options: own } of options)
      for (const [option, { short }] of Object.entries(own))
        assert.ok(word !== `--${option}` && word !== `-${short}`, `${name} has ${word}`);
    for (const [, named = ""] of insteadOf(word)?.matchAll(/passepartout ([a-z]+)/g) ?? [])
      assert.ok(names.includes(named), `${word} names passepartout ${named}`);
  }
});
