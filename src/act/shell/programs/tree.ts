import { makeProgramRule } from "./program-rule.ts";
import { doubt, type ProgramRule } from "./proof.ts";

const ordinaryRule = makeProgramRule({
  page: "tree(1) tree 2.1.0",
  operands: "names",
  defaultOperand: ".",
  tree: true,
  options:
    "-a -d -f -x -L= -P= -I= -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -i -A -S -n -C -X -J --prune --matchdirs --ignore-case " +
    "--filelimit= --noreport --dirsfirst --filesfirst --inodes --device --du --si --timefmt= --sort= --gitignore",
});

/** `tree` reads letters after `-L`, `-P` and `-I` as further options, including `-o`, which writes a file. */
export const treeRule: ProgramRule = (args, name) =>
  args.some((word) => /^-(?!-).*[LPI]./.test(word) && !/^-L[0-9]+$/.test(word))
    ? doubt("tree reads letters after -L, -P and -I as further options")
    : ordinaryRule(args, name);
