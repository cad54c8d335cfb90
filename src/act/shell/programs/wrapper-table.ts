/** A program that starts the command behind its own words. Its options are in the notation of `makeOptionTable`. */
export type WrapperSpec = {
  /** The manual page that the entry was made from. */
  readonly page: string;
  /** The options that leave the command as it is. */
  readonly options: string;
  /** Options that do more, known so that the command behind them is found. */
  readonly asking?: string;
  /** The words before the command that are its own: how many, or each word of this form. */
  readonly own?: number | RegExp;
  /** The form of its own words with which it only starts the command. */
  readonly harmlessOwn?: RegExp;
  /** Why it asks whatever it starts: what it does besides. */
  readonly asks?: string;
  /** The options whose value is the command, as a text for a shell. */
  readonly script?: readonly string[];
  /** Whether it joins the words of the command to a text for a shell. */
  readonly joins?: true;
  /** Whether the command gets words besides those that stand here. */
  readonly addsWords?: true;
  /** Whether the command runs where its paths mean other files. */
  readonly elsewhere?: true;
};

const language = /^(?:(?:LANG|LC_[A-Z]+)=[A-Za-z0-9_.@-]*|TZ=[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*)$/;
const otherUser = "it would run with the rights of another user";
const unread = "it is not known what else its words do";
const sudo: WrapperSpec = {
  page: "sudo(8) sudo 1.9.13",
  options: "",
  asking:
    "-A -b -B -E -e -H -i -K -k -l -N -n -P -S -s -V -v -u= -g= -h= -p= -C= -c= -r= -t= -T= -U= -D= -R= --askpass --background --bell --preserve-env? " +
    "--edit --set-home --login --non-interactive --preserve-groups --stdin --shell --user= --group= --host= --prompt= --chdir= --chroot= " +
    "--close-from= --command-timeout= --other-user= --role= --type= --list --no-update --remove-timestamp --reset-timestamp --validate",
  own: /^[A-Za-z_][A-Za-z0-9_]*=/,
  asks: otherUser,
};

/** The programs that start another command, by name. `find` and shells have rules of their own. */
export const wrapperTable: ReadonlyMap<string, WrapperSpec> = new Map<string, WrapperSpec>([
  [
    "env",
    {
      page: "env(1) coreutils 9.1",
      options: "",
      asking:
        "-i -0 -v -u= -C= -S= --ignore-environment --null --debug --unset= --chdir= --split-string= --block-signal? --default-signal? --ignore-signal?",
      own: /^[^=]+=/,
      harmlessOwn: language,
      script: ["-S", "--split-string"],
    },
  ],
  [
    "timeout",
    {
      page: "timeout(1) coreutils 9.1",
      options: "-k= -s= -v --kill-after= --signal= --foreground --preserve-status --verbose",
      own: 1,
      harmlessOwn: /^\d+(?:\.\d+)?[smhd]?$/,
    },
  ],
  ["nice", { page: "nice(1) coreutils 9.1", options: "-n= -# --adjustment=" }],
  ["nohup", { page: "nohup(1) coreutils 9.1", options: "" }],
  ["stdbuf", { page: "stdbuf(1) coreutils 9.1", options: "-i= -o= -e= --input= --output= --error=" }],
  [
    "ionice",
    {
      page: "ionice(1) util-linux 2.38.1",
      options: "-c= -n= -t --class= --classdata= --ignore",
      asking: "-p= -P= -u= --pid= --pgid= --uid=",
    },
  ],
  [
    "time",
    {
      page: "time(1) time 1.9",
      options: "-p -v --portability --verbose",
      asking: "-a -f= -o= --append --quiet --format= --output=",
    },
  ],
  [
    "xargs",
    {
      page: "xargs(1) findutils 4.9.0",
      options:
        "-0 -r -t -x -I= -n= -L= -P= -s= -d= -E= --null --no-run-if-empty --verbose --exit --replace? --max-args= --max-lines? --max-procs= " +
        "--max-chars= --delimiter= --eof?",
      addsWords: true,
      asking: "-a= -p -o -i? -l? -e? --arg-file= --interactive --open-tty --process-slot-var=",
    },
  ],
  [
    "setsid",
    {
      page: "setsid(1) util-linux 2.38.1",
      options: "-c -f -w --ctty --fork --wait",
      asks: "it would start a session of its own, which outlives the line",
    },
  ],
  [
    "flock",
    {
      page: "flock(1) util-linux 2.38.1",
      options: "-s -x -e -n -u -o -F -w= -E= --shared --exclusive --nonblock --unlock --close --no-fork",
      asking: "-c= --command= --verbose --timeout= --wait= --conflict-exit-code=",
      own: 1,
      asks: "it makes a file as its lock",
      script: ["-c", "--command"],
    },
  ],
  [
    "script",
    {
      page: "script(1) util-linux 2.38.1",
      options: "",
      asking:
        "-a -e -f -q -c= -E= -I= -O= -B= -T= -m= -o= -t? --append --return --flush --force --quiet --command= --echo= --log-in= --log-out= --log-io= --log-timing=",
      own: 1,
      asks: "it writes what the command prints to a file",
      script: ["-c", "--command"],
    },
  ],
  [
    "watch",
    {
      page: "watch(1) procps 4.0.2",
      options: "",
      asking:
        "-b -c -d? -e -g -n= -p -q= -r -t -w -x --beep --color --differences? --errexit --chgexit --interval= --precise --no-title --no-wrap --exec",
      asks: "it repeats the command until somebody stops it",
      joins: true,
    },
  ],
  [
    "parallel",
    {
      page: "parallel(1) parallel 20221122",
      options: "",
      asking:
        "-0 -j= -P= -n= -N= -I= -k -m -q -v -X -a= -S= --jobs= --max-args= --colsep= --delay= --joblog= --results= --retries= --timeout= --tmpdir= --workdir= --bar --eta --dry-run --halt= --keep-order --line-buffer --null --pipe --progress --quote --tag --ungroup --verbose --will-cite",
      asks: "it makes commands from its input",
      joins: true,
    },
  ],
  [
    "busybox",
    {
      page: "busybox(1) busybox 1.35.0",
      options: "",
      asks: "its programs take other options than those that are known",
    },
  ],
  ["sudo", sudo],
  ["doas", { page: "doas(1) opendoas 6.8.2", options: "", asking: "-L -n -s -a= -C= -u=", asks: otherUser }],
  [
    "pkexec",
    {
      page: "pkexec(1) policykit-1 122",
      options: "",
      asking: "--user= --keep-cwd --disable-internal-agent",
      asks: otherUser,
    },
  ],
  [
    "su",
    {
      page: "su(1) util-linux 2.38.1",
      options: "",
      asking:
        "-l -m -p -P -f -c= -s= -g= -G= -w= --login --preserve-environment --pty --fast --command= --session-command= --shell= --group=",
      own: 1,
      asks: otherUser,
      script: ["-c", "--command", "--session-command"],
    },
  ],
  [
    "ssh",
    {
      page: "ssh(1) openssh-client 9.2",
      options: "",
      asking:
        "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B= -b= -c= -D= -E= -e= -F= -I= -i= -J= -L= -l= -m= -O= -o= -p= -Q= -R= -S= -W= -w=",
      own: 1,
      asks: "it would run on another machine",
      joins: true,
      elsewhere: true,
    },
  ],
  [
    "chroot",
    {
      page: "chroot(8) coreutils 9.1",
      options: "",
      asking: "--groups= --userspec= --skip-chdir",
      own: 1,
      asks: "it would run in another root",
      elsewhere: true,
    },
  ],
  [
    "strace",
    {
      page: "strace(1) strace 6.1",
      options: "",
      asking: "-c -f -ff -q -r -t -v -y -e= -o= -p= -s= -u= -E=",
      asks: unread,
    },
  ],
  [
    "taskset",
    { page: "taskset(1) util-linux 2.38.1", options: "", asking: "-a -c -p", own: 1, asks: unread },
  ],
  [
    "chrt",
    {
      page: "chrt(1) util-linux 2.38.1",
      options: "",
      asking: "-b -f -i -o -r -R -v -p",
      own: 1,
      asks: unread,
    },
  ],
  ["prlimit", { page: "prlimit(1) util-linux 2.38.1", options: "", asks: unread }],
  ["unshare", { page: "unshare(1) util-linux 2.38.1", options: "", asks: unread }],
  ["nsenter", { page: "nsenter(1) util-linux 2.38.1", options: "", asks: unread }],
  ["systemd-run", { page: "systemd-run(1) systemd 252", options: "", asks: unread }],
]);
