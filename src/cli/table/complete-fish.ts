import { completionPlaces, type OfferedKind, type Place } from "./completion-places.ts";

/** The script that completes command lines in fish, each offer with its help. */
export function completionForFish(settings: readonly string[]): string {
  const places = completionPlaces();
  const valueCases = places.flatMap(({ key, options }) =>
    options.flatMap(({ name, kind }) => (kind === null ? [] : [`'${key} ${name}'`])),
  );
  const nextCases = places
    .filter(({ next }) => next.length > 0)
    .map(
      ({ key, next }) =>
        `        case '${key}'\n            printf '%s\\n' ${next.map(({ name }) => name).join(" ")}`,
    );
  return `# Completes the command lines of passepartout in fish. Made by: passepartout completion fish
function __passepartout_next
    switch "$argv"
${nextCases.join("\n")}
    end
end
function __passepartout_settings
    printf '%s\\n' ${settings.join(" ")}
end
${walk(valueCases)}complete -c passepartout -f
${places.flatMap((place) => linesOf(place, settings)).join("\n")}
`;
}

/** Goes along the words: tells the place, and how many words stand behind it. */
const walk = (
  valued: readonly string[],
): string => `# The words that name the command, and the number of words behind them.
function __passepartout_place
    set -l place ''
    set -l count 0
    set -l skips no
    set -l ended no
    set -l words (commandline -opc)
    for word in $words[2..]
        if test $skips = yes
            set skips no
            continue
        end
        if test $ended = no
            switch $word
                case --
                    set ended yes
                    continue
                case '-*=*'
                    continue
                case '-*'
                    contains -- "$place $word" ${valued.join(" ")}
                    and set skips yes
                    continue
            end
        end
        if contains -- $word (__passepartout_next $place)
            set place (string trim -- "$place $word")
            set count 0
        else
            set count (math $count + 1)
        end
    end
    printf '%s\\n' "$place" $count
end
function __passepartout_at
    set -l place (__passepartout_place)
    test "$place[1]" = "$argv[1]"
    and begin
        test (count $argv) -eq 1
        or test $place[2] $argv[2..]
    end
end
`;

function linesOf(
  { key, next, options, words, isOpen }: Place,
  settings: readonly string[],
): readonly string[] {
  const at = (...numbers: readonly string[]): string =>
    `complete -c passepartout -n ${quote(["__passepartout_at", quote(key), ...numbers].join(" "))}`;
  return [
    ...next.map(({ name, help }) => `${at("-eq", "0")} -a ${name} -d ${quote(help)}`),
    ...options.map(
      ({ name, help, kind }) =>
        `${at()} -l ${name.slice(2)}${kind === null ? "" : ` ${offersFor(kind, "-r")}`} -d ${quote(help)}`,
    ),
    ...words.flatMap((kind, index) => {
      if (kind === "anything") return [];
      const isLast = isOpen && index === words.length - 1;
      return [`${at(isLast ? "-ge" : "-eq", String(index))} ${offersFor(kind, "")}`];
    }),
  ];

  function offersFor(kind: OfferedKind, required: string): string {
    if (kind === "file") return `${required} -F`.trim();
    const offered = typeof kind === "string" ? offers[kind] : kind.join(" ");
    const exclusive = required === "" ? "" : "-x ";
    if (offered === "" || (kind === "setting" && settings.length === 0)) return exclusive.trim();
    return `${exclusive}-a ${quote(offered)}`;
  }
}

const offers = {
  folder: "(__fish_complete_directories)",
  session: "(command passepartout completion sessions --named 2>/dev/null </dev/null)",
  "any-session": "(command passepartout completion sessions 2>/dev/null </dev/null)",
  setting: "(__passepartout_settings)",
  anything: "",
} as const;

/** A text as one word of fish. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
