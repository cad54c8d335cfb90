import type { ProgramSpec } from "./program-rule.ts";

/** Programs that report on the system, print their words or compute. */
export const systemPrograms: Readonly<Record<string, ProgramSpec>> = {
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
    onlyConfined: ({ options }) =>
      options.some(({ name }) => /^(?:-a|--list-full|-f|--full)$/.test(name))
        ? "pgrep would read the arguments of other processes, in which there can be keys"
        : null,
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
