import type { JsonObject } from "../text/json.ts";
import { openApp, painted, type ScriptedClient } from "./screen.fixture.ts";

const action = {
  target: "tool",
  payload: { tool: "shell", args: { cmd: "make install" } },
  explanation: "to build",
};
const effects = [{ kind: "run-program", target: "make", argv: ["make"], confined: true, reversal: "final" }];
export const asked = (token: string, more: JsonObject = {}): JsonObject => ({
  token,
  action,
  effects,
  text: "make is not proved harmless",
  "expires-at-ms": Date.UTC(2026, 10, 23, 9, 40),
  workspace: "/home/ada/garden",
  ...more,
});
export const shell = (cmd: string): JsonObject => ({
  action: { ...action, payload: { tool: "shell", args: { cmd } } },
});
export const lines = (count: number): string =>
  Array.from({ length: count }, (_, row) => `echo line ${row}`).join("\n");

/** After this a question that stood has the keyboard, and a key that was held has answered. */
export const second = 1_000;
export const pageDown = "\u001b[6~";
export const [enter, backspace] = ["\r", "\u007f"];

export type World = ReturnType<typeof openApp>;

/** A session with a question that has the keyboard. */
export async function openQuestion(
  t: Parameters<typeof openApp>[0],
  more: JsonObject = {},
  size = {},
): Promise<World> {
  const world = openApp(t, size);
  world.turn("t1").asks(asked("one", more));
  await pass(world);
  return world;
}

/** A second goes by without a key, and what it changed is painted. */
export async function pass({ terminal, time }: World, milliseconds = second): Promise<string> {
  await painted(terminal);
  time.now += milliseconds;
  await painted(terminal);
  return terminal.screen().join("\n");
}

/** Types keys as a person does, so many milliseconds apart. */
export function typeApart({ terminal, time }: World, gap: number, ...keys: readonly string[]): void {
  for (const key of keys) {
    terminal.type(key);
    time.now += gap;
  }
}

export function payloads(client: ScriptedClient, what: RegExp): readonly JsonObject[string][] {
  return client.sent
    .map(({ payload }) => payload ?? null)
    .filter((payload) => what.test(JSON.stringify(payload)));
}

export const answers = ({ client }: World) => payloads(client, /"action":"(?:approve|deny|always)"/);
export const said = ({ client }: World) => payloads(client, /user-input/);
