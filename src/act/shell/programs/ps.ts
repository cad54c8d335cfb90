import { makeOptionTable, readArguments } from "./options.ts";
import type { KnownArguments } from "./program-rule.ts";
import { doubt, type ProgramRule, printsOnly } from "./proof.ts";

const options = makeOptionTable(
  "-A -a -d -e -f -F -j -l -L -M -H -T -w -y -x -N -c -o= -O= -p= -u= -U= -C= -g= -G= -s= -t= --pid= --ppid= --user= --User= --format= " +
    "--sort= --forest --no-headers --no-heading --headers --deselect --cols= --columns= --width= --rows= --info --help --version",
);

/**
 * `ps`. A word without a dash that has an `e` shows the environment of every process, and keys with it;
 * so does `-aue` where there is no user named `e`.
 */
export const psRule: ProgramRule = (args, name) => {
  const read = readArguments(args, options);
  if (!read.ok) return doubt(read.doubt);
  const showsEnvironment =
    read.options.some(({ value }) => /environ/i.test(value)) ||
    args.some((word) => /^-[A-Za-z]*[uU].*e/.test(word));
  const knownWords = read.operands.every((operand) => /^(?:[axujflvwhTrnS]+|[0-9,]+)$/.test(operand));
  if (!knownWords || showsEnvironment) return doubt("ps may show the environment of other processes");
  if (showsNamesOnly(read)) return printsOnly(name, args);
  return {
    ...printsOnly(name, args),
    onlyConfined: "ps would show the arguments of other processes, in which there can be keys",
  };
};

/** Fields of a format that hold no argument of a process. */
const plainFields = new Set(
  (
    "pid ppid pgid pgrp sid sess tid lwp spid nlwp thcount comm ucmd ucomm fname user uid euser euid ruser ruid group gid egroup egid " +
    "rgroup rgid tty tt tname stat state s time cputime cputimes etime etimes start start_time lstart stime bsdstart bsdtime pcpu %cpu c cp pmem " +
    "%mem rss rssize rsz vsz vsize size sz drs trs ni nice pri priority opri cls class policy psr rtprio wchan nwchan f flags min_flt maj_flt"
  ).split(" "),
);

/** True if no column shows arguments: without words in the manner of BSD, without full formats, and with plain fields only. */
function showsNamesOnly({ options, operands }: KnownArguments): boolean {
  if (operands.some((operand) => !/^[0-9,]+$/.test(operand))) return false;
  return options.every(({ name, value }) => {
    if (name === "-f" || name === "-F") return false;
    if (name !== "-o" && name !== "-O" && name !== "--format") return true;
    return value
      .split(/[\s,]+/)
      .every((field) => plainFields.has(field.replace(/[:=].*$/s, "").toLowerCase()));
  });
}
