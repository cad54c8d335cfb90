import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../signal/label.ts";
import { TerminalProcess } from "./terminal-process.ts";
import { openTerminals, type TerminalProgram } from "./terminals.ts";

test("a program that has ended takes no terminal from others, though its session never looked at it again", async () => {
  const terminals = openTerminals();
  const program = (isOver: boolean): TerminalProgram => {
    const terminal = new TerminalProcess(terminals.limits);
    Object.defineProperty(terminal, "isOver", { value: isOver });
    const life = Promise.resolve({ status: "success", content: {} } as const);
    return {
      id: "",
      name: "python3",
      cmd: "",
      terminal,
      effects: [],
      label: bottomLabel,
      trial: null,
      life,
    };
  };
  for (let index = 0; index < 8; index += 1) terminals.hold(`ended ${index}`, program(true));
  assert.equal(terminals.problem("new"), null);
  for (let index = 0; index < 8; index += 1) terminals.hold(`running ${index}`, program(false));
  assert.match(terminals.problem("new") ?? "", /8 programs run on terminals already/);
  await terminals.close();
});
