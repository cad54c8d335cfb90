import { makeOptionTable, readArguments } from "./options.ts";
import { makeProgramRule, type ProgramSpec } from "./program-rule.ts";
import { doubt, type ProgramRule, type Proof } from "./proof.ts";

const shapes: Readonly<Record<string, ProgramSpec>> = {
  pwd: { operands: "none", options: "-L -P --logical --physical" },
  date: {
    operands: "words",
    maxOperands: 1,
    options:
      "-d= -f=contents -I? -R -r=names -u --date= --file=contents --iso-8601? --rfc-email --rfc-3339= --reference=names --utc --universal --debug",
    refuse: ({ operands }) =>
      operands.every((operand) => operand.startsWith("+")) ? null : "date could set the clock",
  },
  cal: {
    operands: "words",
    options: "-1 -3 -h -j -m -M -s -y -Y -n= --one --three --sunday --monday --julian --year --twelve",
  },
  ncal: { operands: "words", options: "-1 -3 -h -j -M -S -y -w" },
  whoami: { operands: "none", options: "" },
  logname: { operands: "none", options: "" },
  arch: { operands: "none", options: "" },
  tty: { operands: "none", options: "-s --silent --quiet" },
  id: { operands: "words", options: "-a -g -G -n -r -u -z --group --groups --name --real --user --zero" },
  groups: { operands: "words", options: "" },
  uname: {
    operands: "none",
    options:
      "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor " +
      "--hardware-platform --operating-system",
  },
  hostname: {
    operands: "none",
    options: "-s -f -d -i -I --short --fqdn --long --domain --ip-address --all-ip-addresses",
  },
  uptime: { operands: "none", options: "-p -s --pretty --since" },
  free: {
    operands: "none",
    options:
      "-b -k -m -g -h -l -t -w --bytes --kibi --mebi --gibi --kilo --mega --giga --human --si --lohi --total --wide",
  },
  nproc: { operands: "none", options: "--all --ignore=" },
  lscpu: {
    operands: "none",
    options:
      "-a -b -c -e? -p? -J -B -C? -x -y --all --online --offline --extended? --parse? --json --bytes --caches? --hex --physical --output-all",
  },
  lsblk: {
    operands: "names",
    options:
      "-a -b -d -f -i -J -l -m -n -o= -O -p -P -r -S -t --all --bytes --nodeps --fs --ascii --json --list --perms --noheadings --output= " +
      "--output-all --paths --pairs --raw --scsi --topology",
  },
  locale: {
    operands: "words",
    options: "-a -m -c -k -v --all-locales --charmaps --category-name --keyword-name --verbose",
  },
  pgrep: {
    operands: "words",
    options:
      "-a -c -d= -f -i -l -n -o -u= -U= -g= -G= -P= -s= -t= -v -w -x --list-full --list-name --count --delimiter= --full --ignore-case " +
      "--newest --oldest --euid= --uid= --parent= --exact --inverse",
  },
  pidof: { operands: "words", options: "-s -x" },
  basename: { operands: "words", options: "-a -s= -z --multiple --suffix= --zero" },
  dirname: { operands: "words", options: "-z --zero" },
  which: { operands: "words", options: "-a -s --all" },
  seq: { operands: "words", options: "-# -f= -s= -w --format= --separator= --equal-width" },
  sleep: {
    operands: "words",
    options: "",
    maxOperands: 1,
    refuse: ({ operands }) =>
      operands.every((operand) => /^[0-9]{0,2}(?:\.[0-9]+)?s?$/.test(operand))
        ? null
        : "it sleeps longer than a command may run",
  },
  factor: { operands: "words", options: "-h --exponents" },
};

const version = makeOptionTable("--version");

/**
 * Interpreters and tools of which nothing but their version is known to be harmless. Not `cargo`, `rustc` and `go`:
 * a file of the folder that they stand in names the program that they hand on to, or fetch.
 */
const versions = (
  "node npm npx python python3 pip pip3 ruby perl gcc g++ cc clang make cmake java javac docker tmux emacs bash zsh " +
  "curl wget deno bun tsc rsync tar gzip sqlite3 openssl sbcl"
).split(" ");

const versionRule: ProgramRule = (args, name) => {
  const sorted = readArguments(args, version);
  return sorted.ok && args.length === 1 && args[0] === "--version"
    ? proved(name, args)
    : doubt(`${name} may do anything that its arguments say`);
};

/** `echo`, `true`, `false`, `expr` print or compute from their words alone. */
const wordsOnly: ProgramRule = (args, name) => proved(name, args);

const printf: ProgramRule = (args, name) =>
  args[0]?.startsWith("-") === true && args[0] !== "--"
    ? doubt("printf with options is not known")
    : proved(name, args);

/** `type` is the shell's own: asked of a bash that reads no start-up files. */
const type: ProgramRule = (args, name) => {
  const operands = args.filter((word) => !/^-[aftpP]+$/.test(word));
  return operands.some((word) => word.startsWith("-"))
    ? doubt("type is not known with these options")
    : { ...proved(name, args), argv: ["bash", "--noprofile", "--norc", "-c", 'type "$@"', "type", ...args] };
};

/**
 * Under `ps`, an `e` in the options without a dash shows the environment of every process, and with it keys;
 * and `-aue` is read like that too where there is no user `e`.
 */
const ps: ProgramRule = (args, name) => {
  const table = makeOptionTable(
    "-A -a -d -e -f -F -j -l -L -M -H -T -w -y -x -N -c -o= -O= -p= -u= -U= -C= -g= -G= -s= -t= --pid= --ppid= --user= --User= --format= " +
      "--sort= --forest --no-headers --no-heading --headers --deselect --cols= --columns= --width= --rows= --info --help --version",
  );
  const sorted = readArguments(args, table);
  if (!sorted.ok) return doubt(sorted.doubt);
  const shows =
    sorted.options.some(({ value }) => /environ/i.test(value)) ||
    args.some((word) => /^-[A-Za-z]*[uU].*e/.test(word));
  const bare = sorted.operands.every((operand) => /^(?:[axujflvwhTrnS]+|[0-9,]+)$/.test(operand));
  return bare && !shows ? proved(name, args) : doubt("ps may show the environment of other processes");
};

const testOperators = new Set(
  "-b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -t -u -w -x -z -n = == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef ! -a -o ( )".split(
    " ",
  ),
);
const onPaths = /^-[bcdefgGhkLNOprsSuwx]$/;

/** `test` and `[` look at names, dates and sizes, never at contents. */
const test: ProgramRule = (args, name) => {
  const words = name === "[" ? args.slice(0, -1) : args;
  if (name === "[" && args.at(-1) !== "]") return doubt("[ lacks its ]");
  if (words.some((word) => /^-[^0-9]/.test(word) && !testOperators.has(word))) {
    return doubt("test has an operator that is not known");
  }
  const reads = words.flatMap((word, index) =>
    onPaths.test(words[index - 1] ?? "") || /^-(?:nt|ot|ef)$/.test(words[index + 1] ?? "")
      ? [{ path: word, access: "names" as const, tree: false }]
      : [],
  );
  return { harmless: true, reads, argv: [name, ...args], why: `${name} only compares` };
};

function proved(name: string, args: readonly string[]): Extract<Proof, { readonly harmless: true }> {
  return { harmless: true, reads: [], argv: [name, ...args], why: `${name} only prints` };
}

/** Programs that tell of the system, print their words, or compute. */
export const systemRules: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...Object.entries(shapes).map(([name, shape]) => [name, makeProgramRule(shape)] as const),
  ...versions.map((name) => [name, versionRule] as const),
  ...["echo", "true", "false", "expr"].map((name) => [name, wordsOnly] as const),
  ["printf", printf],
  ["type", type],
  ["ps", ps],
  ["test", test],
  ["[", test],
]);
