import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { Io } from "../kernel/io.ts";
import { type CommandSpec, flag, valued } from "../text/command-spec.ts";
import { helpOf } from "../text/help-text.ts";
import { HelpRequest, UsageError } from "./io.ts";
import { parseCommand, parseVerb } from "./options.ts";

const usage = "passepartout example [WORD…] [--json] [--name TEXT]";
const spec = {
  name: "example",
  summary: "show an example",
  about: ["Shows an example."],
  arguments: [{ form: "[WORD…]" }],
  options: { json: flag("prints JSON"), name: { ...valued("TEXT", "a name"), short: "n" } },
  exit: { 0: "done" },
} as const satisfies CommandSpec;

const withVerbs = {
  name: "garden",
  summary: "look after a garden",
  about: ["Looks after a garden."],
  usualVerb: "list",
  verbs: [
    { name: "list", help: "lists the beds" },
    { name: "water", arguments: [{ form: "BED" }, { form: "[LITRES]" }], help: "waters a bed" },
    { name: "note", arguments: [{ form: "TEXT", words: true }], help: "notes something" },
  ],
  options: {
    can: { ...flag("with the can"), verbs: ["water"] },
    hose: { ...flag("with the hose"), verbs: ["water"] },
    slowly: { ...flag("takes its time"), beside: ["can"], verbs: ["water"] },
    json: flag("prints JSON"),
  },
  either: [["can", "hose"]],
  exit: { 0: "done" },
} as const satisfies CommandSpec;

function ioWith(args: readonly string[]): Io {
  return {
    args,
    environment: {},
    cwd: "/",
    version: "0",
    out: () => undefined,
    err: () => undefined,
    outIsTerminal: false,
    outputsAreOne: false,
    inputIsPipe: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output: new PassThrough(),
    onInterrupt: () => () => undefined,
  };
}

function parse(...args: readonly string[]) {
  const { values, words } = parseCommand(ioWith(args), spec);
  return { values: { ...values }, words };
}

function parseGarden(...args: readonly string[]) {
  const { verb, words } = parseVerb(ioWith(args), withVerbs);
  return [verb, ...words];
}

test("options and words are told apart, and everything after -- is words", () => {
  assert.deepEqual(parse("--json", "-n", "a", "b"), {
    values: { json: true, name: "a" },
    words: ["b"],
  });
  assert.deepEqual(parse("--name=-a", "--", "--help", "-h", "--no-such"), {
    values: { json: false, name: "-a" },
    words: ["--help", "-h", "--no-such"],
  });
});

test("a negative number is a value, and after -- it is a word", () => {
  assert.deepEqual(parse("--name", "-1w", "a").values, { json: false, name: "-1w" });
  assert.deepEqual(parse("--", "--name", "-1w").words, ["--name", "-1w"]);
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
    assert.throws(
      () => parse(...args),
      new UsageError(`${message}\nUsage: ${usage}\nAdd --help for details.`),
      args.join(" "),
    );
  }
});

test("--help and -h request the help of a command, whatever else is there", () => {
  for (const args of [["--help"], ["-h"], ["--json", "words", "--help", "--no-such-option"]]) {
    assert.throws(() => parse(...args), new HelpRequest(helpOf(spec)));
  }
});

test("a verb takes its own words and options, and what is wrong with them is said", () => {
  assert.deepEqual(parseGarden(), ["list"]);
  assert.deepEqual(parseGarden("--json", "water", "roses", "--can"), ["water", "roses"]);
  assert.deepEqual(parseGarden("note", "the", "roses"), ["note", "the", "roses"]);
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["watr"], /garden needs one of list, water, note\. Did you mean water\?\nUsage: passepartout garden/],
    [["water"], /garden water needs one BED\./],
    [["water", "a", "2", "b"], /Too many arguments\./],
    [["list", "a"], /Unexpected argument 'a'\./],
    [["list", "--can"], /--can is an option of garden water, not of garden list\./],
    [["water", "a", "--can", "--hose"], /Use either --can or --hose, not both\./],
    [["water", "a", "--slowly"], /--slowly needs --can beside it\./],
  ];
  for (const [args, message] of wrong) assert.throws(() => parseGarden(...args), message, args.join(" "));
});
