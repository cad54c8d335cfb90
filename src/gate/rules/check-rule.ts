import { canonicalJson } from "../../text/json.ts";
import { codeAllowed } from "./match-rule.ts";
import { anyWord, type Rule } from "./rule.ts";

/** Programs that run what their words say: a rule about them never leaves a word open, or it would allow any program. */
const openers: ReadonlySet<string> = new Set(
  (
    "sh bash dash zsh ksh fish csh tcsh busybox env sudo doas su nice nohup timeout xargs parallel find watch time stdbuf setsid script ssh ionice flock pkexec chroot strace taskset chrt prlimit unshare nsenter systemd-run eval exec command " +
    "python python2 python3 node deno bun perl ruby php lua awk gawk mawk sed emacs emacsclient vim vi nvim ed tclsh osascript npx pnpx uvx docker podman kubectl git"
  ).split(" "),
);

/** What is wrong with a rule, in words; null if it holds. A rule with a fault is off. */
export function ruleProblem(rule: Rule): string | null {
  const { effects, command, examples } = rule;
  if (effects.length === 0) return "it allows nothing";
  const places = [command ?? "", ...effects.map((effect) => effect.target)];
  if (places.some((text) => text.split(anyWord).length > 2)) return "it leaves more than one word open";
  const program = effects.find((effect) => effect.kind === "run-program");
  if (program !== undefined) {
    const isOpen = command?.includes(anyWord) === true;
    if (command === null) return "it is about a program and has no command line";
    if (canonicalJson([program.target, program.argv[0] ?? null, program.binary]).includes(anyWord))
      return "it leaves the program open";
    const name = program.argv[0]?.split("/").at(-1) ?? "";
    if (isOpen && openers.has(name)) return `${name} runs what its words say, so none of them may be open`;
    if (isOpen && command !== program.argv.join(" "))
      return "only a single plain command may have an open word";
    if (!isOpen && canonicalJson(program.argv).includes(anyWord))
      return "its command line does not have the open word";
  }
  if (examples.matches.length === 0 || examples.differs.length === 0) return "it has no examples";
  const missed = examples.matches.findIndex((one) => codeAllowed(rule, one) === null);
  if (missed >= 0) return `it does not match example ${missed + 1} of those that it must match`;
  const caught = examples.differs.findIndex((one) => codeAllowed(rule, one) !== null);
  return caught < 0 ? null : `it matches example ${caught + 1} of those that it must not match`;
}
