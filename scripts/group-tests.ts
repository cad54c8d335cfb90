import { dirname, relative, resolve } from "node:path";

/**
 * What a test file does to the process that it runs in, or measures of it: such a file has a process of its own.
 * Hooks at the root of a file would run around the tests of every file of a group; one that only removes what was made (`after`) may wait for its end.
 * What these lines overlook, `guard-process.ts` finds when the group runs.
 */
const ownsProcess = [
  /import \{[^}]*\b(?:before|beforeEach|afterEach|mock)\b[^}]*\} from "node:test"/,
  /\bmock\b/,
  /\bprocess\.(?:chdir|exit|exitCode|kill|on|once|off|emit|umask|set\w+|memoryUsage|cpuUsage|threadCpuUsage|resourceUsage|stdin|stdout|stderr)\b/,
  /\bprocess\.env(?:\.\w+|\[[^\]]+\])? =[^=]/,
  /\bdelete process\b|\bReflect\.\w+\(process\b|\bglobalThis\./,
  /\bnode:(?:vm|v8|inspector|worker_threads|perf_hooks)\b|\bperformance\.now\(|\/proc\/self|\bgc\(/,
];

/** What only happens where the file is the program that was started. */
const asProgram = /^(?:if \(import\.meta\.main\)|async function main\()[\s\S]*/m;

/** True if the test file can share a process with others: neither it nor a helper that it imports does anything that owns one. Paths are relative to the root, as `read` takes them. */
export function canShareProcess(file: string, read: (file: string) => string): boolean {
  const known = new Set([file]);
  for (const each of known) {
    const text = read(each).replace(asProgram, "");
    if (ownsProcess.some((pattern) => pattern.test(text))) return false;
    for (const helper of helpersOf(each, text)) known.add(helper);
  }
  return true;
}

/** What a file imports that exists for tests alone: what the program is made of leaves its process alone, or has tests that say otherwise. */
function helpersOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:\bfrom|^import) "(\.[^"]+\.ts)"/gm)]
    .map(([, path = ""]) => relative("", resolve(dirname(file), path)))
    .filter((path) => path.startsWith("test/") || path.endsWith(".fixture.ts"));
}

/** Deals files out to `count` groups, so that neighbours, which are alike, come into different groups. */
export function dealOut(files: readonly string[], count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, group) => files.filter((_, index) => index % count === group));
}
