import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { builtInGates } from "../gate/built-in.ts";
import { failedCanaries } from "../gate/failed-canaries.ts";
import { describeGates } from "../gate/judge.ts";
import { makeJudge } from "../gate/make-judge.ts";
import { allowanceOfPlan, verdictOnStep } from "../gate/rules/match-plan.ts";
import { isSecretPath } from "../gate/secret-path.ts";
import { digestOf, sha256 } from "../machine/digest.ts";
import type { ActionFacts } from "../signal/action.ts";
import type { PolicyInForce } from "../signal/approval.ts";
import type { Facts, Finding, Folders } from "../signal/facts.ts";
import { isProgramFile } from "../signal/program-files.ts";
import type { Judge } from "../signal/verdict.ts";
import { isInside } from "../text/is-inside.ts";
import type { JsonObject } from "../text/json.ts";
import { findOwnBuild, installationRoot } from "../update/own-build.ts";
import { prepareSetting, type SettingChange } from "./change-setting.ts";
import { type ChatLinks, openChatLinks } from "./chat-links.ts";
import { type Config, loadConfig } from "./config.ts";
import type { Environment } from "./environment.ts";
import { listSettings, type SettingNow } from "./list-settings.ts";
import { type CascadeNow, openLiveCascade } from "./live-cascade.ts";
import { type McpAcceptances, openMcpAcceptances } from "./mcp-acceptances.ts";
import { type McpFile, openProjectServers } from "./mcp-servers.ts";
import { type NotesSettings, notesPlaceOf } from "./notes-place.ts";
import { openPairingWindows, type PairingWindows } from "./pairing-windows.ts";
import { policySnapshot } from "./policy-snapshot.ts";
import { foldersOfPath } from "./program-folders.ts";
import { replaceFile } from "./replace-file.ts";
import { openRuleBook, type RuleBook } from "./rule-book.ts";
import { openSecretExceptions, type SecretExceptions } from "./secret-exceptions.ts";
import { openSecretPorts, type SecretPorts } from "./secret-ports.ts";
import { openSkillBook, type SkillBook } from "./skill-book.ts";
import { openTypedSecrets, type TypedSecrets } from "./typed-secrets.ts";
import { pathsOnTheWay, resolveLinks } from "./user-folders.ts";

/** The settings and the gates, with the pure functions made from them that other parts get as ports. */
export type Policy = SecretPorts & {
  readonly config: Config;
  /** The order in which turns that begin now ask the providers: `config.cascade` is that of the start. */
  readonly cascade: () => CascadeNow;
  readonly folders: Omit<Folders, "workspace">;
  readonly notesPlace: NotesSettings;
  readonly judge: Judge;
  /** The rules that the owner taught. */
  readonly rules: RuleBook;
  readonly allowanceOfPlan: typeof allowanceOfPlan;
  readonly verdictOnStep: typeof verdictOnStep;
  /** The versions of skills that the owner accepted. */
  readonly skillBook: SkillBook;
  /** Hash of the set of gates, for the journal. */
  readonly gatesHash: string;
  /** What verdicts depend on now; a yes counts only under the policy that it was asked under. */
  readonly inForce: () => PolicyInForce;
  /** What is allowed now, as the journal follows it. */
  readonly snapshot: () => JsonObject;
  readonly gateCount: number;
  /** Names of the canaries that the judge let through; tried at the first call. If there is one, the agent answers but does not act. */
  readonly failedCanaries: () => readonly string[];
  readonly isSecretPath: (path: string) => boolean;
  readonly secretExceptions: SecretExceptions;
  /** What the owner typed in secret into programs that run: each of the functions above takes it for a key. */
  readonly typedSecrets: TypedSecrets;
  /** The servers that the `.mcp.json` of a folder names. Whether the owner trusts the folder is not asked here. */
  readonly projectServers: (folder: string) => McpFile;
  /** What the owner accepted of servers of the Model Context Protocol. */
  readonly mcpAcceptances: McpAcceptances;
  /** The chats that the owner linked. */
  readonly chatLinks: ChatLinks;
  /** When unknown senders are given codes. */
  readonly pairingWindows: PairingWindows;
  /** Whether the program itself keeps a file, such as the review inbox: nothing that the owner works on. */
  readonly isProgramFile: (path: string) => boolean;
  /** Replaces the owner's own jobs, forced to disk. Only a decision of theirs does that. */
  readonly writeJobs: (text: string) => void;
  readonly searchPath: string;
  /** Lists the settings as they stand now, and prepares a change of one in the settings file. */
  readonly settings: {
    readonly list: () => readonly SettingNow[];
    readonly prepare: (name: string, value: string | null) => SettingChange;
  };
  readonly makeFacts: (about: FactsInput) => Facts;
};

/** The input of `makeFacts`: what the facts of anything but a prepared action are made from. */
export type FactsInput = {
  readonly action: ActionFacts;
  readonly origin: Facts["origin"];
  readonly workspace: string | null;
  readonly findings?: readonly Finding[];
  readonly flows?: Facts["flows"];
  readonly licences?: Facts["licences"];
  readonly sandbox?: boolean;
};

/** The settings as they are, and their changes. */
function settingsOf(environment: Environment): Policy["settings"] {
  return {
    list: () => listSettings(environment),
    prepare: (name, value) => prepareSetting(environment, name, value),
  };
}

/** Loads the settings and makes the judge. Changes nothing. */
export function loadPolicy(environment: Environment): Policy {
  const config = loadConfig(environment);
  const { places, keys, vault } = config;
  const notesPlace = notesPlaceOf(config);
  const searchPath = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  const { folders, secretExceptions } = openFolders(places, notesPlace, {
    declared: config.programFolders,
    searched: foldersOfPath(searchPath),
  });
  const judge = makeJudge(builtInGates);
  let failed: readonly string[] | null = null;
  const failedOnes = (): readonly string[] => (failed ??= failedCanaries(judge));
  const typedSecrets = openTypedSecrets();
  const books = openBooks(places.configuration);
  const { rules } = books;
  const gatesHash = sha256(describeGates(builtInGates));
  return {
    config,
    cascade: openLiveCascade(environment, config),
    folders,
    notesPlace,
    judge,
    ...books,
    inForce: () => ({ gates: gatesHash, rules: rules.digest(), settings: settingsDigest(config, folders) }),
    settings: settingsOf(environment),
    allowanceOfPlan,
    verdictOnStep,
    gatesHash,
    snapshot: () => policySnapshot({ ...books, config, secretExceptions, gatesHash }),
    gateCount: new Set([...Object.values(builtInGates.owners), ...builtInGates.others]).size,
    failedCanaries: failedOnes,
    ...openSecretPorts(keys, vault, typedSecrets),
    secretExceptions,
    typedSecrets,
    isProgramFile: (path) => isProgramFile(path, folders),
    writeJobs: (text) => replaceFile(join(places.configuration, "jobs.org"), text),
    projectServers: openProjectServers(places.home),
    isSecretPath: (path) =>
      isSecretPath(path, folders.home) && !secretExceptions.all().some((allowed) => isInside(allowed, path)),
    searchPath,
    makeFacts: ({ action, origin, workspace, findings = [], flows, licences = [], sandbox = false }) => ({
      action,
      origin,
      permission: "allow",
      folders: { ...folders, workspace },
      sandbox,
      findings,
      ...(flows === undefined ? {} : { flows }),
      licences,
      healthy: failedOnes().length === 0,
    }),
  };
}

type Books = "rules" | "skillBook" | "mcpAcceptances" | "chatLinks" | "pairingWindows";

/** What the owner keeps in files of the configuration folder, beside the settings. */
function openBooks(folder: string): Pick<Policy, Books> {
  return {
    rules: openRuleBook(join(folder, "rules.json")),
    skillBook: openSkillBook(join(folder, "skills.json")),
    mcpAcceptances: openMcpAcceptances(join(folder, "mcp-accepted.json")),
    chatLinks: openChatLinks(join(folder, "gateways.json")),
    pairingWindows: openPairingWindows(join(folder, "gateway-codes.json")),
  };
}

/** The folders of the facts, with the secret paths that the owner takes off the list while the agent runs. */
function openFolders(
  places: Config["places"],
  notesPlace: NotesSettings,
  { declared, searched }: Readonly<Record<"declared" | "searched", readonly string[]>>,
): Pick<Policy, "folders" | "secretExceptions"> {
  const home = resolveLinks(places.home);
  // The folder of skills may be a link to elsewhere, such as to a clone of dotfiles.
  const skills = join(places.configuration, "skills");
  const own = [places.state, `${places.state}-restore`, places.configuration, skills, places.runtime]
    .map(resolveLinks)
    .filter((folder, at, all) => !all.slice(0, at).some((outer) => isInside(outer, folder)))
    .concat(installation());
  const secretExceptions = openSecretExceptions(join(places.configuration, "secret-paths.json"), {
    home,
    own,
  });
  const folders = {
    home,
    notes: notesPlace.folder,
    otherNotes: notesPlace.otherFolders,
    programs: [...declared, ...searched].flatMap(pathsOnTheWay),
    declared: declared.flatMap(pathsOnTheWay),
    own,
    readable: installation(),
    get notSecret() {
      return secretExceptions.all();
    },
  };
  return { folders, secretExceptions };
}

/** A hash of the settings that say what is allowed. */
function settingsDigest(
  { permissions, privacyTags, trials, programFolders }: Config,
  { programs: _, declared: __, ...folders }: Omit<Folders, "workspace">,
): string {
  const allowed = { permissions: Object.fromEntries(permissions), privacyTags, trials, programFolders };
  return digestOf({ ...allowed, folders });
}

/**
 * The paths of the program itself: the whole package where it is installed, or its parts in a clone, where
 * people also work; and the builds that run.
 */
function installation(): readonly string[] {
  const root = resolveLinks(resolve(installationRoot()));
  const builds = [findOwnBuild()?.builds ?? []].flat().map(resolveLinks);
  if (!existsSync(join(root, ".git")) && !existsSync(join(root, "src"))) return [root, ...builds];
  const parts = [
    "bin",
    "dist",
    "node_modules",
    "packages",
    ".passepartout",
    "scripts",
    "src",
    "passepartout",
    "package.json",
  ];
  return [...parts.map((part) => join(root, part)), ...builds.filter((folder) => !isInside(root, folder))];
}
