import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** The owner gate of memory changes. The agent's own memory accepts anything that is not secret, with its label, and asks before it drops what an undo needs. The memory of files changes only when the owner says so, and a flight plan is kept, or a setting changed, only with the owner's yes. An unproved client may change neither. */
export const memoryChanges: Gate = {
  name: "memory-changes",
  priority: 500,
  revision: 5,
  answer(effect, { action, origin }) {
    if (effect.kind !== "change-memory") return { result: "not-concerned" };
    if (origin.person === "unproved") {
      return {
        result: "block",
        code: "unproved",
        reason: "a client that did not prove itself may not change memory",
      };
    }
    if (effect.label.secrecy === "secret") {
      return {
        result: "block",
        code: "secret-remembered",
        reason: "secret content may not be stored in memory",
      };
    }
    if (effect.reversal === "final") {
      return {
        result: "ask",
        code: "drop-undo",
        reason: `there is no more room for what undo needs: this would ${oneLine(effect.operation)}, and those changes could never be undone`,
      };
    }
    if (effect.setting !== undefined) {
      const { name, after } = effect.setting;
      const isOpened = effect.label.secrecy !== "public" && after !== null;
      const opened = isOpened ? "; its value was made from private text, and each provider may get it" : "";
      return {
        result: "ask",
        code: "change-setting",
        reason: `${oneLine(name)} is a setting, and a yes writes it into the settings file${opened}`,
      };
    }
    if (effect.plan !== undefined) {
      return {
        result: "ask",
        code: "flight-plan",
        reason: "a yes allows each step as often as it says, and nothing else",
      };
    }
    const owners = action.kind === "command" && origin.person === "owner";
    if (effect.realm !== "own" && !owners) {
      return {
        result: "ask",
        code: "change-files-memory",
        reason: `${oneLine(effect.operation)} would change the memory of your files`,
      };
    }
    return {
      result: "passed",
      reason: effect.label.integrity === "untrusted" ? "kept as untrusted content" : "the agent's own memory",
    };
  },
};
