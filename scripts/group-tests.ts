/**
 * What a test file does to the process that it runs in, or measures of it: such a file has a process of its own.
 * Hooks at the root of a file would run around the tests of every file of a group; one that only removes what was made (`after`) may wait for its end.
 */
const ownsProcess = [
  /import \{[^}]*\b(?:before|beforeEach|afterEach|mock)\b[^}]*\} from "node:test"/,
  /\bmock\b/,
  /\bprocess\.(?:chdir|exit|exitCode|kill|on|once|off|emit|umask|set\w+|memoryUsage|cpuUsage|threadCpuUsage|resourceUsage|stdin|stdout|stderr)\b/,
  /\bprocess\.env(?:\.\w+|\[[^\]]+\])? =[^=]/,
  /\bdelete process\b|\bReflect\.\w+\(process\b|\bglobalThis\./,
  /\bnode:(?:vm|v8|inspector|worker_threads|perf_hooks)\b|\bperformance\.now\(|\/proc\/self|\bgc\(/,
];

/** True if the test file of this text can share a process with others. */
export function canShareProcess(text: string): boolean {
  return ownsProcess.every((pattern) => !pattern.test(text));
}

/** Deals files out to `count` groups, so that neighbours, which are alike, come into different groups. */
export function dealOut(files: readonly string[], count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, group) => files.filter((_, index) => index % count === group));
}
