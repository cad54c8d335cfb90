import { edgeFiles } from "./edge-files.ts";
import type { Architecture, Row } from "./rules.ts";

const row = (imports: readonly string[], types: readonly string[] = []): Row => ({ imports, types });

/** The only file of the Org package that the program may import. */
const face = "packages/org/src/org.ts";
const org = "packages/org/src";

/**
 * The architecture: a row for each folder that holds sources, in the order of the data flow. A folder may import itself, what its row lists
 * (a folder with all below it, or one file), and from `types` nothing but types. What is not listed is forbidden.
 */
export const architecture: Architecture = {
  table: new Map([
    ["src", row(["src/cli"])],

    ["src/signal/executed-later", row([])],
    ["src/signal/intent", row([])],
    ["src/signal", row([])],
    ["src/perceive", row(["src/signal"])],
    ["src/reason/model", row(["src/signal"])],
    ["src/reason/prompt", row(["src/signal"])],
    ["src/reason/parse", row(["src/signal"], ["src/reason/model/model-port.ts"])],
    ["src/reason", row(["src/signal", "src/reason/model", "src/reason/prompt", "src/reason/parse"])],
    ["src/reason/providers", row(["src/signal", "src/reason/model"])],
    ["src/gate/rules", row(["src/signal", "src/gate/visible.ts"])],
    ["src/gate", row(["src/signal"])],

    ["src/act/flow", row(["src/signal"])],
    ["src/act/external", row(["src/signal", "src/act/flow"])],
    [
      "src/act/mcp",
      row([
        "src/signal",
        "src/act/flow",
        "src/act/external",
        "src/act/actuators.ts",
        "src/act/egress",
        "src/act/files/real-path.ts",
        "src/act/sandbox",
        "src/act/shell",
        "src/act/web",
      ]),
    ],
    ["src/act", row(["src/signal", "src/act/flow", "src/act/files", "src/act/sandbox"])],
    [
      "src/act/tools",
      row([
        "src/signal",
        "src/act/flow",
        "src/act/load-once.ts",
        "src/act/files",
        "src/act/shell",
        "src/act/egress",
        "src/act/sandbox",
        "src/act/tangle",
        "src/act/trial",
        "src/act/web",
        "src/memory/notes/edits/merge.ts",
        "src/memory/notes/nodes/is-org-file.ts",
        face,
      ]),
    ],
    [
      "src/act/shell",
      row([
        "src/signal",
        "src/act/files/byte-names.ts",
        "src/act/files/fallible.ts",
        "src/act/files/identify.ts",
        "src/act/files/real-path.ts",
        "src/act/egress",
        "src/act/sandbox",
        "src/act/trial/command-overlays.ts",
        "src/act/shell/programs",
        "src/memory/notes/nodes/yield-to-event-loop.ts",
      ]),
    ],
    ["src/act/shell/programs", row(["src/signal/secret-names.ts"])],
    [
      "src/act/files",
      row([
        "src/signal",
        "src/memory/notes/edits/expose-secret.ts",
        "src/memory/notes/edits/find-new-ids.ts",
        "src/memory/notes/edits/merge.ts",
        "src/memory/notes/labels/label-of-file.ts",
        "src/memory/notes/labels/lifted-marks.ts",
        "src/memory/notes/locks/lock-file.ts",
        "src/memory/notes/nodes/is-org-file.ts",
        "src/act/syntax/broken-syntax.ts",
      ]),
    ],
    ["src/act/tangle", row(["src/act/files", face])],
    ["src/act/syntax", row(["src/memory/notes/nodes/is-org-file.ts"])],
    ["src/act/sandbox", row(["src/signal"])],
    [
      "src/act/trial",
      row(["src/signal", "src/act/files", "src/act/sandbox", "src/act/syntax/broken-syntax.ts"]),
    ],
    ["src/act/egress", row(["src/act/web"], ["src/act/sandbox"])],
    ["src/act/web", row(["src/signal/address-kind.ts"])],

    ["src/turn", row(["src/signal"], ["src/perceive", "src/reason/think.ts", "src/memory"])],

    ["src/memory/storage", row(["src/signal"])],
    ["src/memory/search", row(["src/signal", "src/memory/storage"])],
    ["src/memory/journal", row(["src/signal", "src/memory/storage"])],
    [
      "src/memory/state",
      row([
        "src/signal",
        "src/memory/storage",
        "src/memory/search",
        "src/memory/journal",
        "src/memory/private-text",
      ]),
    ],
    ["src/memory/private-text", row(["src/memory/storage"])],
    ["src/memory/notes/nodes", row(["src/signal", face])],
    ["src/memory/notes/index", row(["src/memory/storage", "src/memory/search", "src/memory/notes/nodes"])],
    [
      "src/memory/notes/labels",
      row(
        [
          "src/signal",
          "src/memory/notes/nodes",
          "src/memory/notes/index",
          "src/memory/notes/folder/setup-files.ts",
          "src/memory/private-text/line-prefix.ts",
          face,
        ],
        ["src/memory/state"],
      ),
    ],
    ["src/memory/notes/edits", row(["src/signal", "src/memory/storage", "src/memory/notes/nodes", face])],
    ["src/memory/notes/locks", row([])],
    ["src/memory/notes/folder", row(["src/signal", "src/memory/storage", "src/memory/notes/nodes", face])],
    [
      "src/memory/notes/sync",
      row([
        "src/signal/describe-error.ts",
        "src/memory/notes/nodes",
        "src/memory/notes/index",
        "src/memory/notes/folder",
      ]),
    ],
    [
      "src/memory/notes",
      row([
        "src/memory/notes/nodes",
        "src/memory/notes/index",
        "src/memory/notes/labels",
        "src/memory/notes/folder",
        "src/memory/notes/sync",
        face,
      ]),
    ],
    [
      "src/memory/vectors",
      row(["src/memory/storage", "src/memory/notes/index/open-index-file.ts"], ["src/memory/notes/nodes"]),
    ],
    [
      "src/memory/recall",
      row(
        [
          "src/signal",
          "src/memory/search/matching-line.ts",
          "src/memory/state/transcript.ts",
          "src/memory/storage/digest.ts",
          "src/memory/vectors",
          "src/memory/notes/nodes/yield-to-event-loop.ts",
          "src/memory/notes/labels/private-texts-in.ts",
          "src/memory/notes/read-texts.ts",
        ],
        ["src/memory/notes", "src/memory/state", "src/memory/private-text"],
      ),
    ],

    ["src/wire/codec", row(["src/signal"])],
    ["src/wire/channel", row(["src/signal", "src/wire/codec"])],
    ["src/wire/client", row(["src/signal", "src/wire/codec", "src/wire/channel"])],
    ["src/wire/server", row(["src/signal", "src/wire/codec", "src/wire/channel"])],

    ["src/skills/built-in", row(["src/signal"])],
    ["src/skills", row(["src/signal", "src/skills/built-in", face])],
    ["src/doors", row(["src/signal", "src/wire"])],
    ["src/tui/screen", row(["src/signal", "src/gate/visible.ts", "src/reason/providers/wait.ts"])],
    ["src/tui/session", row(["src/signal", "src/wire", "src/reason/providers/wait.ts", "src/tui/screen"])],
    ["src/tui/words", row(["src/tui/screen"])],
    [
      "src/tui/calls",
      row([
        "src/signal",
        "src/reason/format-result.ts",
        "src/tui/screen",
        "src/tui/session",
        "src/tui/words",
      ]),
    ],
    [
      "src/tui/conversation",
      row([
        "src/signal",
        "src/wire/codec/loop-events.ts",
        "src/tui/screen",
        "src/tui/session",
        "src/tui/words",
        "src/tui/calls",
      ]),
    ],
    [
      "src/tui/prompt",
      row(
        ["src/signal", "src/gate/visible.ts", "src/tui/screen"],
        ["src/tui/session", "src/tui/conversation"],
      ),
    ],
    [
      "src/tui/questions",
      row(
        ["src/signal", "src/tui/screen", "src/tui/words", "src/tui/calls"],
        ["src/tui/session", "src/tui/prompt"],
      ),
    ],
    [
      "src/tui/panels",
      row(
        [
          "src/signal",
          "src/tui/screen",
          "src/tui/calls",
          "src/tui/conversation",
          "src/tui/prompt",
          "src/tui/questions",
        ],
        ["src/tui/session"],
      ),
    ],
    [
      "src/tui/reader",
      row([
        "src/signal",
        "src/wire/codec/loop-events.ts",
        "src/tui/screen",
        "src/tui/session",
        "src/tui/calls",
        "src/tui/conversation",
        "src/tui/questions",
      ]),
    ],
    [
      "src/tui",
      row([
        "src/signal",
        "src/wire",
        "src/reason/providers/wait.ts",
        "src/tui/screen",
        "src/tui/session",
        "src/tui/words",
        "src/tui/calls",
        "src/tui/conversation",
        "src/tui/prompt",
        "src/tui/questions",
        "src/tui/panels",
        "src/tui/reader",
      ]),
    ],

    [
      "src/settings",
      row(
        ["src/signal", "src/gate", "src/reason/providers", "src/reason/model/setting-name.ts"],
        ["src/reason"],
      ),
    ],
    [
      "src/health",
      row(
        [
          "src/signal",
          "src/settings",
          "src/act/sandbox",
          "src/memory",
          "src/reason/providers",
          "src/reason/model/setting-name.ts",
          "src/wire/client/ask-health.ts",
          "src/wire/codec/proof-secret.ts",
          "src/wire/server/find-socket-problem.ts",
        ],
        ["src/reason"],
      ),
    ],

    [
      "src/backup",
      row([
        "src/signal",
        "src/settings",
        "src/memory/storage",
        "src/memory/journal",
        "src/memory/state/migrate.ts",
        "src/memory/state/versions.ts",
      ]),
    ],

    [
      "src/daemon/commands",
      row(
        [
          "src/signal",
          "src/perceive",
          "src/act/files",
          "src/act/trial/change-sets.ts",
          "src/act/trial/set-files.ts",
          "src/act/trial/forget-displaced.ts",
          "src/memory/state",
          "src/memory/storage",
          "src/memory/notes/edits",
        ],
        ["src/turn", "src/memory/notes", "src/settings"],
      ),
    ],
    ["src/daemon/jobs", row(["src/signal"], ["src/memory/state"])],
    [
      "src/daemon/agent",
      row(
        [
          "src/signal",
          "src/perceive",
          "src/reason",
          "src/act",
          "src/turn",
          "src/memory",
          "src/wire/codec/reader.ts",
          "src/daemon/commands",
          "src/daemon/jobs",
          "src/skills",
        ],
        ["src/settings", "src/wire/codec/loop-events.ts"],
      ),
    ],
    [
      "src/daemon/remote",
      row(
        [
          "src/signal",
          "src/perceive",
          "src/reason/providers/wait.ts",
          "src/settings/socket-path.ts",
          "src/wire/client",
          "src/wire/codec",
        ],
        ["src/turn", "src/settings", "src/daemon/agent/agent.ts"],
      ),
    ],
    [
      "src/daemon",
      row(
        [
          "src/signal",
          "src/perceive",
          "src/reason/providers/wait.ts",
          "src/memory/state",
          "src/memory/storage",
          "src/wire",
          "src/settings",
          "src/health/check-in-child-process.ts",
          "src/daemon/agent",
          "src/daemon/remote",
        ],
        ["src/turn"],
      ),
    ],

    ["src/cli/table", row(["src/signal"])],
    [
      "src/cli/import",
      row([
        "src/signal",
        "src/act/files/org-note.ts",
        "src/memory/notes/labels",
        "src/settings",
        "src/daemon/agent/journal-port.ts",
        "src/daemon/serve.ts",
      ]),
    ],
    [
      "src/cli/offline",
      row([
        "src/signal",
        "src/act",
        "src/memory",
        "src/reason",
        "src/settings",
        "src/health",
        "src/daemon",
        "src/skills",
        face,
      ]),
    ],
    [
      "src/cli/commands",
      row(
        [
          "src/signal",
          "src/gate/visible.ts",
          "src/settings",
          "src/backup",
          "src/cli/offline",
          "src/cli/table",
          "src/cli/user-service",
          "src/daemon",
          "src/tui/screen/copied.ts",
          "src/tui/prompt/edited-text.ts",
          "src/tui/tui.ts",
          face,
        ],
        ["src/daemon/agent", "src/skills"],
      ),
    ],
    [
      "src/cli/setup",
      row([
        "src/signal",
        "src/gate/visible.ts",
        "src/reason",
        "src/settings",
        "src/health",
        "src/daemon/remote",
        "src/cli/commands",
        "src/cli/import",
        "src/cli/table",
      ]),
    ],
    ["src/cli/user-service", row(["src/settings"])],
    [
      "src/cli",
      row([
        "src/signal/describe-error.ts",
        "src/signal/nearest-name.ts",
        "src/signal/text-rows.ts",
        "src/cli/commands",
        "src/cli/setup/setup.ts",
        "src/cli/table",
        "src/backup/pending-restore.ts",
        "src/backup/folder-moves.ts",
        "src/gate/visible.ts",
        "package.json",
      ]),
    ],

    [
      org,
      row([
        `${org}/text`,
        `${org}/time`,
        `${org}/outline`,
        `${org}/links`,
        `${org}/syntax`,
        `${org}/agenda`,
        `${org}/query`,
        `${org}/check`,
        `${org}/edits`,
        `${org}/tangle`,
      ]),
    ],
    [`${org}/text`, row([])],
    [`${org}/time`, row([`${org}/text`])],
    [`${org}/outline`, row([`${org}/text`, `${org}/time`])],
    [`${org}/syntax`, row([`${org}/text`, `${org}/time`, `${org}/outline`])],
    [`${org}/links`, row([`${org}/text`, `${org}/outline`, `${org}/syntax`])],
    [`${org}/agenda`, row([`${org}/text`, `${org}/time`, `${org}/outline`])],
    [`${org}/query`, row([`${org}/text`, `${org}/outline`, `${org}/agenda`])],
    [`${org}/check`, row([`${org}/text`, `${org}/time`, `${org}/outline`, `${org}/links`, `${org}/syntax`])],
    [`${org}/edits`, row([`${org}/text`, `${org}/time`, `${org}/outline`])],
    [`${org}/tangle`, row([`${org}/outline`, `${org}/syntax`])],
  ]),
  pure: ["src/signal", "src/gate"],
  alone: [org],
  aliases: new Map([["#org", face]]),
  edges: edgeFiles,
};
