import type { ProgramSpec } from "./program-rule.ts";

const checksum = (name: string, more = ""): ProgramSpec => ({
  page: `${name}(1) coreutils 9.1`,
  operands: "contents",
  options: `-b -t -z -c -w --binary --text --tag --zero --check --quiet --status --strict --warn --ignore-missing ${more}`,
  // The files that a list of checksums names are not among the words: it may read what the workspace holds, without its secrets.
  readsNamed: ["-c", "--check"],
});

/** bat(1): it prints with colours, without its configuration and without a pager. */
const bat: ProgramSpec = {
  page: "bat(1) bat 0.22.1",
  operands: "contents",
  addedOptions: ["--no-config", "--paging=never"],
  options:
    "-A -p -n -f -S -l= -r= -H= --show-all --plain --number --language= --line-range= --highlight-line= --style= --color= --decorations= " +
    "--tabs= --wrap= --terminal-width= --theme= --italic-text= --force-colorization --chop-long-lines --squeeze-blank --file-name= " +
    "--nonprintable-notation= --list-languages --list-themes",
};

const grep: ProgramSpec = {
  page: "grep(1) grep 3.8",
  operands: "pattern",
  patternOptions: ["-e", "--regexp", "-f", "--file"],
  tree: ["-r", "--recursive"],
  exclusion: "grep",
  defaultOperand: ".",
  options:
    "-E -F -G -P -i -y -v -w -x -z -c -l -L -o -q -s -b -H -h -n -T -Z -a -I -r -U -# -e= -f=contents -m= -A= -B= -C= -d= -D= " +
    "--extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --file=contents --ignore-case --no-ignore-case " +
    "--invert-match --word-regexp --line-regexp --null-data --count --files-with-matches --files-without-match --only-matching " +
    "--quiet --silent --no-messages --byte-offset --with-filename --no-filename --line-number --initial-tab --null --text " +
    "--recursive --max-count= --after-context= --before-context= --context= --color? --colour? --include= --exclude= " +
    "--exclude-dir= --exclude-from=contents --binary-files= --line-buffered --label=",
  refuse: ({ options }) =>
    options.some(({ name }) => name === "-d" || name === "-D") ? "grep reads folders or devices" : null,
};

/** Programs that list or read files and folders. */
export const filePrograms: Readonly<Record<string, ProgramSpec>> = {
  ls: {
    page: "ls(1) coreutils 9.1",
    operands: "names",
    defaultOperand: ".",
    tree: ["-R", "--recursive"],
    options:
      "-a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 -I= -T= -w= " +
      "--all --almost-all --author --escape --ignore-backups --color? --directory --file-type --classify? --format= --full-time " +
      "--group-directories-first --no-group --human-readable --si --dereference --dereference-command-line --hide= --hyperlink? " +
      "--indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal --hide-control-chars --show-control-chars " +
      "--quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context " +
      "--block-size= --zero",
  },
  cat: {
    page: "cat(1) coreutils 9.1",
    operands: "contents",
    options:
      "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
  },
  head: {
    page: "head(1) coreutils 9.1",
    operands: "contents",
    options: "-# -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated",
  },
  tail: {
    page: "tail(1) coreutils 9.1",
    operands: "contents",
    options:
      "-# -c= -n= -f -F -q -s= -v -z --bytes= --lines= --follow? --quiet --silent --retry --sleep-interval= --verbose --zero-terminated",
  },
  wc: {
    page: "wc(1) coreutils 9.5",
    operands: "contents",
    options: "-c -m -l -L -w --bytes --chars --lines --max-line-length --words --total=",
  },
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    page: "rg(1) ripgrep 14.1.1",
    operands: "pattern",
    patternOptions: ["-e", "--regexp", "-f", "--file", "--files"],
    tree: true,
    exclusion: "rg",
    defaultOperand: ".",
    addedOptions: ["--no-config", "--no-follow"],
    options:
      "-F -P -S -U -c -e= -f=contents -g= -h -H -i -I -l -m= -n -N -o -p -q -r= -s -t= -T= -u -v -V -w -x -0 -A= -B= -C= -M= -d= -j= " +
      "--files --hidden --no-ignore --no-ignore-vcs --ignore-case --case-sensitive --smart-case --count --count-matches --regexp= " +
      "--file=contents --glob= --iglob= --type= --type-not= --type-list --fixed-strings --files-with-matches --files-without-match " +
      "--line-number --no-line-number --with-filename --no-filename --only-matching --replace= --passthru --passthrough --word-regexp " +
      "--line-regexp --invert-match --max-count= --max-depth= --max-columns= --after-context= --before-context= --context= " +
      "--multiline --multiline-dotall --no-heading --heading --color= --colors= --column --json --vimgrep --trim --sort= --sortr= " +
      "--stats --text --quiet --null --no-messages --pcre2 --threads= --unrestricted",
  },
  stat: {
    page: "stat(1) coreutils 9.1",
    operands: "names",
    options: "-L -f -t -c= --dereference --file-system --terse --format= --printf= --cached=",
  },
  file: {
    page: "file(1) file 5.44",
    operands: "contents",
    options:
      "-b -i -k -L -h -N -n -r -0 -F= --brief --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference --no-pad --print0 --raw --separator=",
  },
  du: {
    page: "du(1) coreutils 9.1",
    operands: "names",
    defaultOperand: ".",
    tree: true,
    options:
      "-0 -a -b -B= -c -d= -D -H -h -k -L -l -m -P -S -s -t= -x --null --all --apparent-size --bytes --block-size= --total --max-depth= " +
      "--dereference --dereference-args --human-readable --inodes --count-links --no-dereference --separate-dirs --si --summarize " +
      "--threshold= --time? --time-style= --exclude= --one-file-system",
  },
  df: {
    page: "df(1) coreutils 9.1",
    operands: "names",
    options:
      "-a -B= -h -H -i -k -l -P -T -t= -x= --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability " +
      "--total --type= --print-type --exclude-type=",
  },
  fd: {
    page: "fd(1) fd-find 10.2.0",
    operands: "pattern",
    tree: true,
    defaultOperand: ".",
    options:
      "-H -I -u -s -i -g -F -a -p -0 -d= -t= -e= -E= -S= -1 -q --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive " +
      "--ignore-case --glob --fixed-strings --absolute-path --full-path --print0 --max-depth= --min-depth= --exact-depth= --type= " +
      "--extension= --exclude= --size= --changed-within= --changed-before= --format= --color= --max-results= --quiet",
  },
  readlink: {
    page: "readlink(1) coreutils 9.1",
    operands: "names",
    options:
      "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero",
  },
  realpath: {
    page: "realpath(1) coreutils 9.1",
    operands: "names",
    options:
      "-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= " +
      "--strip --no-symlinks --zero",
  },
  diff: {
    page: "diff(1) diffutils 3.8",
    operands: "contents",
    maxOperands: 2,
    tree: true,
    exclusion: "diff",
    addedOptions: ["--no-dereference"],
    options:
      "-# -q -s -c -C= -u -U= -e -n -y -W= -p -F= -t -T -r -N -a -i -E -Z -b -w -B -I= -d -x= -L= -l --normal --brief " +
      "--report-identical-files --context? --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines " +
      "--show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --recursive --new-file --exclude= " +
      "--ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines " +
      "--ignore-matching-lines= --text --strip-trailing-cr --minimal --horizon-lines= --speed-large-files --color? --palette=",
    refuse: ({ options }) =>
      options.some(({ name }) => name === "-l") ? "diff -l runs another program (pr)" : null,
  },
  cmp: {
    page: "cmp(1) diffutils 3.8",
    operands: "contents",
    maxOperands: 4,
    options: "-b -l -s -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent",
  },
  strings: {
    page: "strings(1) binutils 2.40",
    operands: "contents",
    options:
      "-a -d -f -o -w -n= -t= -e= -s= -# --all --data --print-file-name --bytes= --radix= --encoding= --include-all-whitespace --output-separator=",
    refuse: ({ operands, options }) =>
      [...operands, ...options.map(({ value }) => value)].some((word) => word.startsWith("@"))
        ? "strings takes its arguments from a file"
        : null,
  },
  bat,
  batcat: bat,
  cksum: {
    page: "cksum(1) coreutils 9.1",
    operands: "contents",
    options: "-a= --algorithm= --untagged --tag --zero -z",
  },
  sum: { page: "sum(1) coreutils 9.1", operands: "contents", options: "-r -s --sysv" },
  md5sum: checksum("md5sum"),
  sha1sum: checksum("sha1sum"),
  sha224sum: checksum("sha224sum"),
  sha256sum: checksum("sha256sum"),
  sha384sum: checksum("sha384sum"),
  sha512sum: checksum("sha512sum"),
  b2sum: checksum("b2sum", "-l= --length="),
  od: {
    page: "od(1) coreutils 9.1",
    operands: "contents",
    options:
      "-A= -j= -N= -S? -t= -v -w? -a -b -c -d -f -i -l -o -s -x -D -F -H -O -X --address-radix= --endian= --skip-bytes= --read-bytes= " +
      "--strings? --format= --output-duplicates --width? --traditional",
  },
  hexdump: {
    page: "hexdump(1) bsdextrautils 2.38.1",
    operands: "contents",
    options: "-b -c -C -d -n= -o -s= -v -x -e= --canonical --length= --skip= --no-squeezing --format=",
  },
  hd: { page: "hexdump(1) bsdextrautils 2.38.1", operands: "contents", options: "-b -c -d -n= -o -s= -v -x" },
  base64: {
    page: "base64(1) coreutils 9.1",
    operands: "contents",
    maxOperands: 1,
    options: "-d -i -w= --decode --ignore-garbage --wrap=",
  },
  base32: {
    page: "base32(1) coreutils 9.1",
    operands: "contents",
    maxOperands: 1,
    options: "-d -i -w= --decode --ignore-garbage --wrap=",
  },
  zcat: {
    page: "zcat(1) gzip 1.12",
    operands: "contents",
    options: "-f -q --force --quiet",
    refuse: ({ operands }) =>
      operands.every((operand) => operand === "-" || /[^/]\.(?:gz|z|tgz|taz|Z)$/.test(operand))
        ? null
        : "zcat tries other names where the ending of a compressed file is missing",
  },
};
