const folders = /\/(?:dist|build|_build|out|target|coverage|\.cache|\.next)\//;

/** Whether a path is in a folder that a build empties and fills again. */
export function isBuildOutput(path: string): boolean {
  return folders.test(path);
}
