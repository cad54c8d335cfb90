import { makeOptionTable, readArguments } from "./options.ts";
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
  return knownWords && !showsEnvironment
    ? printsOnly(name, args)
    : doubt("ps may show the environment of other processes");
};
