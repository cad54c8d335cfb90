import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { HelpRequest, type Io, UsageError } from "./io.ts";
import { parseOptions } from "./options.ts";

const usage = "passepartout example [--json] [--name TEXT]";
const options = {
  json: { type: "boolean", default: false },
  name: { type: "string", short: "n" },
} as const;

function parse(...args: readonly string[]) {
  const io: Io = {
    args,
    environment: {},
    cwd: "/",
    version: "0",
    out: () => undefined,
    err: () => undefined,
    outIsTerminal: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output: new PassThrough(),
    onInterrupt: () => () => undefined,
  };
  const { values, positionals } = parseOptions(io, usage, options);
  return { values: { ...values }, positionals };
}

test("options and words are told apart, and what follows -- is words", () => {
  assert.deepEqual(parse("--json", "-n", "a", "b"), {
    values: { json: true, name: "a" },
    positionals: ["b"],
  });
  assert.deepEqual(parse("--name=-a", "--", "--help", "-h", "--no-such"), {
    values: { json: false, name: "-a" },
    positionals: ["--help", "-h", "--no-such"],
  });
});

test("a number below zero is a value, and a word behind --", () => {
  assert.deepEqual(parse("--name", "-1w", "a").values, { json: false, name: "-1w" });
  assert.deepEqual(parse("--", "--name", "-1w").positionals, ["--name", "-1w"]);
  assert.throws(() => parse("--json", "-1"), /no option -1 here/);
  assert.throws(() => parse("name", "-1"), /no option -1 here/);
});

test("a wrong option is told in words of our own, with how the command is used", () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [
      ["--no-such-option"],
      "There is no option --no-such-option here. Words that begin with a hyphen go after '--'.",
    ],
    [["-x"], "There is no option -x here. Words that begin with a hyphen go after '--'."],
    [["--toString"], "There is no option --toString here. Words that begin with a hyphen go after '--'."],
    [["--json=yes"], "--json takes no value."],
    [["--name"], "--name needs a value."],
    [["--name="], "--name needs a value."],
    [["--name", "--json"], "--name needs a value, and '--json' looks like an option."],
  ];
  for (const [args, message] of wrong) {
    assert.throws(() => parse(...args), new UsageError(`${message}\nUsage: ${usage}`), args.join(" "));
  }
});

test("--help and -h ask how a command is used, whatever else is there", () => {
  for (const args of [["--help"], ["-h"], ["--json", "words", "--help", "--no-such-option"]]) {
    assert.throws(() => parse(...args), new HelpRequest(`Usage: ${usage}`));
  }
});
