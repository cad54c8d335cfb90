import { makeRandom } from "../make-random.ts";

/** One change that a program of a line makes, by words that the shell does not read. */
export type Step = {
  readonly act: "link" | "move" | "cover" | "fill" | "write" | "name";
  readonly path: string;
  /** What a link leads to, where something moves, or a second name. */
  readonly to: string;
};

/** A command line, and what its program `step.py` does at each number. */
export type GeneratedLine = { readonly line: string; readonly steps: readonly Step[] };

/** The program of the lines: does the step of its number, and prints nothing. What fails is left out. */
export const stepProgram = `import json, os, shutil, sys
def clear(path):
    if os.path.islink(path) or os.path.isfile(path): os.unlink(path)
    elif os.path.isdir(path): shutil.rmtree(path)
for number in sys.argv[1:]:
    step = json.load(open("steps.json"))[int(number)]
    act, path, to = step["act"], step["path"], step["to"]
    try:
        if act == "move": os.rename(path, to)
        elif act == "name": os.link(path, to)
        elif act == "write": open(path, "a").write("mine")
        else:
            clear(path)
            if act == "link": os.symlink(to, path)
            elif act == "cover": open(path, "w").write("mine")
            else:
                os.makedirs(path)
                for name in ["plan", "Makefile", ".env", "x"]: open(path + "/" + name, "w").write("mine")
    except OSError: pass
`;

const folders = ["real", "other", "via", "deep/a", "deep/a/b", "new", "d2", ".ssh", "other/c", "real/d"];
const files = [
  "plan",
  "Makefile",
  ".env",
  "id_rsa",
  "notes.org",
  "wire.secret",
  "journal.jsonl",
  "config",
  "x",
];
const places = [
  "",
  "..",
  "../out",
  "../home",
  "../home/.ssh",
  "../home/notes",
  "../state",
  "../work",
  "../out/o",
];
const inside = [
  "real",
  "other",
  "via",
  ".",
  "deep/a",
  "d2",
  "deep/../real",
  "new",
  "real/plan",
  "other/.env",
];

/** Generates a line: the same seed makes the same line. `root` is the folder around the workspace `work`. */
export function generateLine(seed: number, root: string): GeneratedLine {
  const random = makeRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[], usual: T): T =>
    list[below(list.length)] ?? usual;
  const name = (): string =>
    pick([pick(folders, "real"), `${pick(folders, "real")}/${pick(files, "plan")}`, pick(files, "x")], "x");
  const file = (): string =>
    below(5) === 0 ? pick(files, "plan") : `${pick(folders, "real")}/${pick(files, "plan")}`;
  const lead = (): string => {
    const place = pick([pick(places, ".."), pick(inside, "real")], "..");
    const whole = below(4) === 0 ? `${place}/${pick(files, "plan")}` : place;
    const form = below(7);
    if (form < 3) return whole === "" ? "." : whole;
    if (form < 5) return `${root}/work/${whole}`;
    if (form === 5) return `/proc/self/root${root}/work/${whole}`;
    return pick(
      ["/", `/oldroot${root}/out`, `/newroot${root}/out`, `/proc/1/root${root}/out`, `${root}/state`],
      "/",
    );
  };
  const step = (): Step => {
    const act = pick(["link", "link", "link", "move", "cover", "fill", "write", "name"] as const, "link");
    return { act, path: name(), to: act === "link" ? lead() : name() };
  };
  const steps: Step[] = [];
  const change = (): string => {
    const first = steps.length;
    steps.push(...Array.from({ length: 1 + below(3) }, step));
    return `python3 step.py ${steps
      .map((_, number) => number)
      .slice(first)
      .join(" ")}`;
  };
  const look = (): string =>
    pick(
      [
        `cat ${file()}`,
        `cat < ${file()}`,
        `head -n 3 ${file()} ${file()}`,
        `tail -n 1 ${file()}`,
        `grep -rs CANAR ${pick(folders, "real")}`,
        `grep -s CANAR ${file()}`,
        `sort ${file()}`,
        `wc -c ${file()}`,
        `ls -l ${pick(folders, "real")}`,
        `find ${pick(folders, "real")} -type f`,
        `base64 ${file()}`,
        `cd ${pick(folders, "real")} && cat ${pick(files, "plan")}`,
        `diff -r ${pick(folders, "real")} ${pick(folders, "other")}`,
      ],
      "true",
    );
  const write = (): string =>
    pick(
      [
        `echo mine > ${file()}`,
        `echo mine >> ${file()}`,
        `ls nothing 2> ${file()}`,
        `ls real &> ${file()}`,
        `cat ${file()} > ${file()}`,
        `cp ${file()} ${file()}`,
        `cp -r ${pick(folders, "real")} ${pick(folders, "other")}`,
        `mv ${name()} ${name()}`,
        `mkdir -p ${pick(folders, "real")}/${pick(folders, "other")}`,
        `rm -rf ${pick(folders, "real")}`,
        `tee ${file()} < ${file()}`,
      ],
      "true",
    );
  const commands = [
    change(),
    ...Array.from({ length: 1 + below(5) }, () => pick([change, look, look, write], look)()),
  ];
  const line = commands.reduce(
    (all, command) => `${all}${pick([";", ";", " &&", " ||", " |"], ";")} ${command}`,
  );
  return { line, steps };
}
