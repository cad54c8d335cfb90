const folders = /\/(?:dist|build|_build|out|target|coverage|\.cache|\.next)\//;

/** Whether a path is in a folder below `root` that a build empties and fills again. Where `root` itself lies in a folder of such a name says nothing. */
export function isBuildOutput(path: string, root: string): boolean {
  return folders.test(path.slice(root.length));
}
