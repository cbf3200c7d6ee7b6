/**
 * The library as `build-cli.ts` wrote it. A config that is a program imports the library that reads it: these files load at once,
 * the sources would first be compiled by jiti, all of them.
 */
export function builtLibrary(): Promise<typeof import('../src/node.ts')> {
  return import(/* @vite-ignore */ new URL('../.built/node.js', import.meta.url).href)
}
