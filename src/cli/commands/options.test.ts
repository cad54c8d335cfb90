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
    outputsAreOne: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output: new PassThrough(),
    onInterrupt: () => () => undefined,
  };
  const { values, positionals } = parseOptions(io, usage, options);
  return { values: { ...values }, positionals };
}

test("options and words are told apart, and everything after -- is words", () => {
  assert.deepEqual(parse("--json", "-n", "a", "b"), {
    values: { json: true, name: "a" },
    positionals: ["b"],
  });
  assert.deepEqual(parse("--name=-a", "--", "--help", "-h", "--no-such"), {
    values: { json: false, name: "-a" },
    positionals: ["--help", "-h", "--no-such"],
  });
});

test("a negative number is a value, and after -- it is a word", () => {
  assert.deepEqual(parse("--name", "-1w", "a").values, { json: false, name: "-1w" });
  assert.deepEqual(parse("--", "--name", "-1w").positionals, ["--name", "-1w"]);
  assert.throws(() => parse("--json", "-1"), /^UsageError: Unknown option -1\./);
  assert.throws(() => parse("name", "-1"), /^UsageError: Unknown option -1\./);
});

test("a wrong option is reported in our own words, with the synopsis of the command", () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [
      ["--no-such-option"],
      "Unknown option --no-such-option. Put '--' before words that begin with a hyphen.",
    ],
    [["--jsn"], "Unknown option --jsn. Did you mean --json? Put '--' before words that begin with a hyphen."],
    [["-x"], "Unknown option -x. Put '--' before words that begin with a hyphen."],
    [["--toString"], "Unknown option --toString. Put '--' before words that begin with a hyphen."],
    [["--json=yes"], "--json takes no value."],
    [["--name"], "--name needs a value."],
    [["--name="], "--name needs a value."],
    [["--name", "--json"], "--name needs a value, but '--json' looks like an option."],
  ];
  for (const [args, message] of wrong) {
    assert.throws(() => parse(...args), new UsageError(`${message}\nUsage: ${usage}`), args.join(" "));
  }
});

test("--help and -h request the help of a command, whatever else is there", () => {
  for (const args of [["--help"], ["-h"], ["--json", "words", "--help", "--no-such-option"]]) {
    assert.throws(() => parse(...args), new HelpRequest(`Usage: ${usage}`));
  }
});
