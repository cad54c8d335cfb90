import type { ProgramSpec } from "./program-rule.ts";

/** Programs that turn text into other text. */
export const textPrograms: Readonly<Record<string, ProgramSpec>> = {
  sort: {
    page: "sort(1) coreutils 9.1",
    operands: "contents",
    options:
      "-b -d -f -g -i -M -h -n -R -r -V -c -C -k= -m -s -S= -t= -u -z --ignore-leading-blanks --dictionary-order --ignore-case " +
      "--general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= " +
      "--version-sort --check? --key= --merge --stable --buffer-size= --field-separator= --unique --zero-terminated --parallel= " +
      "--debug --random-source=contents",
  },
  uniq: {
    page: "uniq(1) coreutils 9.1",
    operands: "contents",
    maxOperands: 1,
    options:
      "-c -d -D -i -u -z -f= -s= -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique " +
      "--zero-terminated --check-chars=",
  },
  cut: {
    page: "cut(1) coreutils 9.1",
    operands: "contents",
    options:
      "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= " +
      "--zero-terminated",
  },
  tr: {
    page: "tr(1) coreutils 9.1",
    operands: "words",
    options: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
  },
  nl: {
    page: "nl(1) coreutils 9.1",
    operands: "contents",
    options:
      "-b= -d= -f= -h= -i= -l= -n= -p -s= -v= -w= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= " +
      "--line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=",
  },
  tac: {
    page: "tac(1) coreutils 9.1",
    operands: "contents",
    options: "-b -r -s= --before --regex --separator=",
  },
  rev: { page: "rev(1) util-linux 2.39", operands: "contents", options: "-0 --zero" },
  column: {
    page: "column(1) bsdextrautils 2.38.1",
    operands: "contents",
    options:
      "-t -s= -o= -N= -c= -x -e -R= -H= -J -L -l= -d -E= -T= -W= --table --separator= --output-separator= --table-columns= " +
      "--output-width= --fillrows --json --table-right= --table-hide= --table-noheadings --table-truncate=",
  },
  fold: {
    page: "fold(1) coreutils 9.1",
    operands: "contents",
    options: "-b -s -w= -# --bytes --spaces --width=",
  },
  fmt: {
    page: "fmt(1) coreutils 9.1",
    operands: "contents",
    options:
      "-c -p= -s -t -u -w= -g= -# --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --width= --goal=",
  },
  pr: {
    page: "pr(1) coreutils 9.1",
    operands: "contents",
    options:
      "-# -a -c -d -D= -e? -f -F -h= -i? -J -l= -m -n? -N= -o= -r -s? -S? -t -T -v -w= -W= --pages= --columns= --across " +
      "--show-control-chars --double-space --date-format= --expand-tabs? --form-feed --header= --output-tabs? --join-lines --length= " +
      "--merge --number-lines? --first-line-number= --indent= --no-file-warnings --separator? --sep-string? --omit-header " +
      "--omit-pagination --show-nonprinting --width= --page-width=",
  },
  comm: {
    page: "comm(1) coreutils 9.1",
    operands: "contents",
    maxOperands: 2,
    options: "-1 -2 -3 -z --check-order --nocheck-order --output-delimiter= --total --zero-terminated",
  },
  join: {
    page: "join(1) coreutils 9.1",
    operands: "contents",
    maxOperands: 2,
    options:
      "-a= -e= -i -j= -o= -t= -v= -1= -2= -z --ignore-case --check-order --nocheck-order --header --zero-terminated",
  },
  paste: {
    page: "paste(1) coreutils 9.1",
    operands: "contents",
    options: "-d= -s -z --delimiters= --serial --zero-terminated",
  },
  expand: { page: "expand(1) coreutils 9.1", operands: "contents", options: "-i -t= -# --initial --tabs=" },
  unexpand: {
    page: "unexpand(1) coreutils 9.1",
    operands: "contents",
    options: "-a -t= --all --first-only --tabs=",
  },
  tsort: { page: "tsort(1) coreutils 9.1", operands: "contents", maxOperands: 1, options: "" },
  look: {
    page: "look(1) bsdextrautils 2.38.1",
    operands: "pattern",
    maxOperands: 2,
    options: "-a -d -f -b -t= --alternative --alphanum --ignore-case --terminate=",
  },
  numfmt: {
    page: "numfmt(1) coreutils 9.1",
    operands: "words",
    options:
      "-d= -z --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header? --invalid= --padding= --round= " +
      "--suffix= --to= --to-unit= --zero-terminated",
  },
};
