import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Effect, ReachHost, RunProgram, WritePath } from "../../signal/effect.ts";
import { unknownScripts } from "../../signal/effect.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import { builtInGates } from "../built-in.ts";
import { judge } from "../judge.ts";
import { sampleFacts } from "../sample-action.ts";
import { ruleProblem } from "./check-rule.ts";
import { describeRule } from "./describe-rule.ts";
import { licencesOfRules, ruleEffectOf } from "./match-rule.ts";
import { type AnsweredAction, type AskedAction, backTest, proposeRule } from "./propose-rule.ts";
import { anyWord, type Rule } from "./rule.ts";
import { observeAnswer, ripeRules, type ShadowRule } from "./shadow.ts";

const workspace = "/home/ada/project";
const common = { label: bottomLabel, reversal: "final" as const };

function program(command: string, changed: Partial<RunProgram> = {}): Effect {
  const argv = command.split(" ");
  const target = argv[0] ?? "";
  const doubt = `${target} may do anything that its arguments say`;
  return {
    ...common,
    kind: "run-program",
    target,
    argv,
    binary: `/usr/bin/${target}`,
    proof: null,
    doubt,
    confined: true,
    ...changed,
  };
}
const writing = (target: string, changed: Partial<WritePath> = {}): Effect => ({
  ...common,
  kind: "write-path",
  target,
  change: "create",
  reversal: "undoable",
  ...changed,
});
const reaching = (target: string, changed: Partial<ReachHost> = {}): Effect => ({
  ...common,
  kind: "reach-host",
  target,
  scheme: "https",
  port: 443,
  addresses: [],
  ...changed,
});

/** A question as the built-in gates ask it. */
function asked(command: string | null, ...effects: readonly Effect[]): AskedAction {
  const { asks } = judge(builtInGates, effects, {
    ...sampleFacts,
    folders: { ...sampleFacts.folders, workspace },
    licences: [],
  });
  return { workspace, command, effects, asks };
}
const running = (command: string, changed: Partial<RunProgram> = {}): AskedAction =>
  asked(command, program(command, changed));
const yes = (one: AskedAction): AnsweredAction => ({ ...one, yes: true });
const no = (one: AskedAction): AnsweredAction => ({ ...one, yes: false });

/** The rules in shadow after these answers, the oldest first. */
function shadowOf(answered: readonly AnsweredAction[]): readonly ShadowRule[] {
  return answered.reduce<readonly ShadowRule[]>(
    (shadow, answer, index) => observeAnswer(shadow, answer, answered.slice(0, index), 0),
    [],
  );
}

function ruleFor(one: AskedAction, answered: readonly AnsweredAction[] = []): Rule {
  const ripe = ripeRules(shadowOf(answered), one);
  const proposed = proposeRule(one, answered, { ripe, at: 0 });
  assert.ok(typeof proposed !== "string", String(proposed));
  assert.equal(ruleProblem(proposed.rule), null);
  return proposed.rule;
}

/** The decision of the built-in gates about an action under some rules. */
function decision(rules: readonly Rule[], { command, effects, workspace: folder }: AskedAction): string {
  const licences = licencesOfRules(rules, { workspace: folder, command, effects });
  const folders = { ...sampleFacts.folders, workspace: folder };
  return judge(builtInGates, effects, { ...sampleFacts, folders, licences }).decision;
}

test("a rule spares the question that it was made from, and no other one", () => {
  const question = running("npm test");
  const rule = ruleFor(question);
  assert.equal(decision([], question), "ask");
  assert.equal(decision([rule], question), "pass");
  const others: readonly AskedAction[] = [
    running("npm install"),
    running("npm test --force"),
    { ...question, command: "X=1 npm test" },
    { ...question, command: "npm test <<< rm" },
    { ...question, command: "npm test; true" },
    { ...question, command: null },
    running("npm test", { confined: false }),
    running("npm test", { binary: `${workspace}/npm` }),
    running("npm test", { network: ["example.org:443"] }),
    running("npm test", { doubt: "something else" }),
    running("npm test", { label: { ...bottomLabel, secrecy: "private" } }),
    asked("npm test", program("npm test"), program("rm -r x")),
  ];
  for (const other of others) assert.notEqual(decision([rule], other), "pass", JSON.stringify(other.effects));
  assert.equal(decision([rule], { ...question, workspace: "/home/ada/other" }), "ask");
});

test("what asks each time never becomes a rule", () => {
  const never: readonly AskedAction[] = [
    running("npm test", { confined: false }),
    running("./tool", { binary: `${workspace}/tool` }),
    asked(null, { ...common, kind: "delete-path", target: "/srv/a" }),
    asked(null, writing(`${workspace}/Makefile`)),
    asked(null, writing("/srv/a", { lifts: [{ heading: "x", mark: "privacy" }] })),
    asked(null, writing("/srv/a", { reversal: "final", change: "replace" })),
    asked(null, reaching("192.168.1.5")),
    { ...running("npm test"), workspace: null },
  ];
  for (const one of never)
    assert.equal(typeof proposeRule(one, [], { ripe: [], at: 0 }), "string", JSON.stringify(one.effects));
});

test("words of others and private text make no rule, and the reason says so", () => {
  const refusal = (changed: Partial<Label>): string =>
    String(
      proposeRule(asked(null, writing("/srv/a", { label: { ...bottomLabel, ...changed } })), [], {
        ripe: [],
        at: 0,
      }),
    );
  assert.match(refusal({ integrity: "untrusted" }), /words of others flow into what it writes/);
  assert.match(refusal({ secrecy: "private" }), /private text flows into it/);
});

test("a rule lifts no block, whatever stands in it", () => {
  const rule = ruleFor(running("npm test"));
  const everything: Rule = {
    ...rule,
    effects: [...rule.effects, { kind: "write-path", target: "/home/ada/.ssh/id_rsa" }],
  };
  assert.equal(decision([everything], asked(null, writing("/home/ada/.ssh/id_rsa"))), "block");
  assert.equal(decision([everything], running("npm test", { argv: [] })), "block");
});

const words = ["build", "docs", "types", "style", "bundle"].map((word) => yes(running(`npm run ${word}`)));

test("a word is left open only after the rule agreed three times in shadow, and was refused nothing", () => {
  const one = running("npm run lint");
  for (let count = 0; count < words.length; count += 1)
    assert.equal(ruleFor(one, words.slice(0, count)).command, "npm run lint", `after ${count} answers`);
  const open = ruleFor(one, words);
  assert.equal(open.command, `npm run ${anyWord}`);
  assert.equal(decision([open], running("npm run format")), "pass");
  assert.equal(ruleFor(one, [...words, no(running("npm run deploy"))]).command, "npm run lint");
  for (const word of ["--force", "../x", "a/b", ".x", "$(rm)", "a b", "a;b", "", "-x", "a\nb", "*"])
    assert.equal(decision([open], running(`npm run ${word}`)), "ask", word);
  const untrusted = { label: { ...bottomLabel, integrity: "untrusted" as const } };
  assert.equal(decision([open], running("npm run format", untrusted)), "ask");
});

test("a rule for a command with network holds for the bytes of its scripts and for public text", () => {
  const hosts = { network: ["a.example:443"], scripts: "one" };
  const command = "sh send.sh";
  const question = asked(command, program(command, hosts), reaching("a.example"));
  const proposed = proposeRule(question, [], { ripe: [], at: 1 });
  assert.ok(typeof proposed !== "string");
  const licences = (scripts: string, label: Label) =>
    licencesOfRules([proposed.rule], {
      workspace,
      command,
      effects: [program(command, { ...hosts, scripts }), reaching("a.example", { label })],
    }).length;
  assert.equal(licences("one", bottomLabel), 2);
  assert.equal(licences("two", bottomLabel), 1);
  assert.equal(licences("one", { ...bottomLabel, secrecy: "private" }), 1);
  assert.match(
    describeRule(proposed.rule).join(),
    /while its scripts and all other code here are as they are now/,
  );
  assert.equal(ruleEffectOf(program(command, { ...hosts, scripts: unknownScripts })), null);
});

test("an open word never widens a rule to any program", () => {
  const shells = ["bash", "sh", "env", "xargs", "python3", "node", "sudo", "find", "git", "npx"];
  for (const shell of shells) {
    const answered = ["a", "b", "c", "d", "e", "f"].map((word) => yes(running(`${shell} ${word}`)));
    assert.equal(ruleFor(running(`${shell} x`), answered).command, `${shell} x`, shell);
  }
  const programs = ["one", "two", "three", "four", "six", "seven"].map((word) =>
    yes(running(`${word} test`)),
  );
  assert.equal(ruleFor(running("five test"), programs).command, "five test");
});

test("files of one folder become open, and neither folders below nor other ones", () => {
  const file = (name: string): AskedAction => asked(null, writing(`/srv/site/${name}`));
  const rule = ruleFor(
    file("a.html"),
    ["b.html", "c.html", "d.html", "f.html", "g.html"].map((name) => yes(file(name))),
  );
  assert.equal(decision([rule], file("e.html")), "pass");
  for (const path of ["/srv/site/x/e.html", "/srv/other/e.html", "/srv/site/.htaccess", "/srv/site/Makefile"])
    assert.equal(decision([rule], asked(null, writing(path))), "ask", path);
});

test("a rule that fails an example, or leaves a program open, is off", () => {
  const rule = ruleFor(running("npm test"));
  const other = program("npm install");
  const { matches, differs } = rule.examples;
  const cases: readonly Rule[] = [
    { ...rule, effects: [] },
    { ...rule, examples: { matches: [], differs } },
    { ...rule, examples: { matches, differs: [] } },
    { ...rule, examples: { matches: [{ workspace, command: "npm install", effect: other }], differs } },
    { ...rule, examples: { matches, differs: [...differs, ...matches] } },
    {
      ...rule,
      command: `${anyWord} test`,
      effects: rule.effects.map((effect) => ({ ...effect, target: anyWord })),
    },
    { ...rule, command: `npm ${anyWord} ${anyWord}` },
    { ...rule, command: null },
  ];
  for (const one of cases) assert.equal(typeof ruleProblem(one), "string", JSON.stringify(one.command));
});

test("a rule says in words what it allows and where", () => {
  assert.deepEqual(describeRule(ruleFor(running("npm test"))), [
    "in /home/ada/project, without asking:",
    "  run `npm test` in the sandbox, without network, whatever the files there make of it",
  ]);
  assert.match(
    describeRule(ruleFor(asked(null, reaching("docs.example.org")))).join("\n"),
    /reach https:\/\/docs\.example\.org:443/,
  );
});

test("a rule for a command does not allow it with a credential, and none is made for that", () => {
  const network = ["api.example"];
  const rule = ruleFor(running("gh issue list", { network }));
  const withCredential = running("gh issue list", { network, credentials: ["github at api.example"] });
  assert.equal(decision([rule], running("gh issue list", { network })), "pass");
  assert.equal(decision([rule], withCredential), "ask");
  assert.equal(typeof proposeRule(withCredential, [], { ripe: [], at: 0 }), "string");
});

test("a rule in shadow counts later questions only, ends with the first no, and is not made again from what was refused", () => {
  const [first, ...more] = words;
  assert.ok(first !== undefined);
  assert.deepEqual(shadowOf([first]), []);
  assert.deepEqual(
    shadowOf(words).map(({ rule: { command }, agreed }) => [command, agreed]),
    [[`npm run ${anyWord}`, 3]],
  );
  const refused = no(running("npm run deploy"));
  assert.deepEqual(shadowOf([...words, refused]), []);
  assert.deepEqual(shadowOf([refused, first, ...more]), []);
  assert.deepEqual(shadowOf([...words, refused, yes(running("npm run again"))]), []);
  const others: readonly AskedAction[] = [
    running("npm install"),
    running("npm run a b"),
    asked(null, writing("/srv/a")),
  ];
  assert.deepEqual(
    shadowOf([...words.slice(0, 2), ...others.map(yes)]).find(
      ({ rule }) => rule.command === `npm run ${anyWord}`,
    )?.agreed,
    0,
    "what it would not have spared says nothing about it",
  );
});

test("no more than one dimension is open in any rule in shadow, and none allows what was refused", () => {
  const word = fc.constantFrom("a", "b", "c", "d");
  const question = fc.oneof(
    fc.tuple(word, word, word).map(([one, two, three]) => running(`${one} ${two} ${three}`)),
    fc.tuple(word, word).map(([one, two]) => asked(null, writing(`/srv/${one}/${two}`))),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(question, fc.boolean()), { maxLength: 25 }), (answers) => {
      const answered = answers.map(([one, isYes]) => ({ ...one, yes: isYes }));
      for (const { rule } of shadowOf(answered)) {
        assert.equal(ruleProblem(rule), null);
        const open = [rule.command ?? "", ...rule.effects.map(({ target }) => target)];
        assert.equal(
          open.some((text) => text.split(anyWord).length === 2),
          true,
        );
        assert.equal(backTest(rule, answered).no, 0);
      }
    }),
    { seed: 12, numRuns: 300 },
  );
});
