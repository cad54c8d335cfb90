import { readFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * The paths below a folder that are mounts of their own, relative to it: no rename takes them along or
 * replaces them.
 */
export function mountedBelow(folder: string): readonly string[] {
  return mountPoints().flatMap((point) => {
    const path = relative(folder, point);
    return path === "" || path === ".." || path.startsWith("../") ? [] : [path];
  });
}

/** The points of mounts as the kernel lists them, proc(5). Systems other than Linux mount no single files. */
function mountPoints(): readonly string[] {
  if (process.platform !== "linux") return [];
  const decodeOctal = (point: string): string =>
    point.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
  const lines = readFileSync("/proc/self/mountinfo", "latin1").split("\n");
  return lines.flatMap((line) => {
    const point = line.split(" ")[4];
    return point === undefined ? [] : [Buffer.from(decodeOctal(point), "latin1").toString()];
  });
}
