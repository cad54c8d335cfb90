import type { ProgramSpec } from "./program-rule.ts";

/** Programs that report on the system, print their words or compute. */
export const systemPrograms: Readonly<Record<string, ProgramSpec>> = {
  pwd: { page: "pwd(1) coreutils 9.1", operands: "none", options: "-L -P --logical --physical" },
  date: {
    page: "date(1) coreutils 9.1",
    operands: "words",
    maxOperands: 1,
    options:
      "-d= -f=contents -I? -R -r=names -u --date= --file=contents --iso-8601? --rfc-email --rfc-3339= --reference=names --utc --universal --debug",
    refuse: ({ operands }) =>
      operands.every((operand) => operand.startsWith("+")) ? null : "date could set the clock",
  },
  cal: {
    page: "cal(1) util-linux 2.39",
    operands: "words",
    options: "-1 -3 -h -j -m -M -s -y -Y -n= --one --three --sunday --monday --julian --year --twelve",
  },
  ncal: { page: "ncal(1) ncal 12.1.8", operands: "words", options: "-1 -3 -h -j -M -S -y -w" },
  whoami: { page: "whoami(1) coreutils 9.1", operands: "none", options: "" },
  logname: { page: "logname(1) coreutils 9.1", operands: "none", options: "" },
  arch: { page: "arch(1) coreutils 9.1", operands: "none", options: "" },
  tty: { page: "tty(1) coreutils 9.1", operands: "none", options: "-s --silent --quiet" },
  id: {
    page: "id(1) coreutils 9.1",
    operands: "words",
    options: "-a -g -G -n -r -u -z --group --groups --name --real --user --zero",
  },
  groups: { page: "groups(1) coreutils 9.1", operands: "words", options: "" },
  uname: {
    page: "uname(1) coreutils 9.1",
    operands: "none",
    options:
      "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor " +
      "--hardware-platform --operating-system",
  },
  hostname: {
    page: "hostname(1) hostname 3.23",
    operands: "none",
    options: "-s -f -d -i -I --short --fqdn --long --domain --ip-address --all-ip-addresses",
  },
  uptime: { page: "uptime(1) procps 4.0.2", operands: "none", options: "-p -s --pretty --since" },
  free: {
    page: "free(1) procps 4.0.2",
    operands: "none",
    options:
      "-b -k -m -g -h -l -t -w --bytes --kibi --mebi --gibi --kilo --mega --giga --human --si --lohi --total --wide",
  },
  nproc: { page: "nproc(1) coreutils 9.1", operands: "none", options: "--all --ignore=" },
  lscpu: {
    page: "lscpu(1) util-linux 2.38.1",
    operands: "none",
    options:
      "-a -b -c -e? -p? -J -B -C? -x -y --all --online --offline --extended? --parse? --json --bytes --caches? --hex --physical --output-all",
  },
  lsblk: {
    page: "lsblk(8) util-linux 2.38.1",
    operands: "names",
    options:
      "-a -b -d -f -i -J -l -m -n -o= -O -p -P -r -S -t --all --bytes --nodeps --fs --ascii --json --list --perms --noheadings --output= " +
      "--output-all --paths --pairs --raw --scsi --topology",
  },
  locale: {
    page: "locale(1) libc-bin 2.36",
    operands: "words",
    options: "-a -m -c -k -v --all-locales --charmaps --category-name --keyword-name --verbose",
  },
  pgrep: {
    page: "pgrep(1) procps 4.0.2",
    operands: "words",
    options:
      "-a -c -d= -f -i -l -n -o -u= -U= -g= -G= -P= -s= -t= -v -w -x --list-full --list-name --count --delimiter= --full --ignore-case " +
      "--newest --oldest --euid= --uid= --parent= --exact --inverse",
    onlyConfined: ({ options }) =>
      options.some(({ name }) => /^(?:-a|--list-full|-f|--full)$/.test(name))
        ? "pgrep would read the arguments of other processes, in which there can be keys"
        : null,
  },
  pidof: { page: "pidof(8) sysvinit-utils 3.06", operands: "words", options: "-s -x" },
  basename: {
    page: "basename(1) coreutils 9.1",
    operands: "words",
    options: "-a -s= -z --multiple --suffix= --zero",
  },
  dirname: { page: "dirname(1) coreutils 9.1", operands: "words", options: "-z --zero" },
  which: { page: "which(1) which 2.21", operands: "words", options: "-a --all" },
  seq: {
    page: "seq(1) coreutils 9.1",
    operands: "words",
    options: "-# -f= -s= -w --format= --separator= --equal-width",
  },
  sleep: {
    page: "sleep(1) coreutils 9.1",
    operands: "words",
    options: "",
    maxOperands: 1,
    refuse: ({ operands }) =>
      operands.every((operand) => /^[0-9]{0,2}(?:\.[0-9]+)?s?$/.test(operand))
        ? null
        : "it sleeps longer than a command may run",
  },
  factor: { page: "factor(1) coreutils 9.5", operands: "words", options: "-h --exponents" },
};
