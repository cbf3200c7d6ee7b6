/**
 * The library as bundled by `build-cli.ts`. TypeScript configs import the library: the bundle loads at once, whereas jiti would first compile
 * all sources.
 */
export function builtLibrary(): Promise<typeof import('../../packages/rolecall/src/node.ts')> {
  return import(/* @vite-ignore */ new URL('../../packages/rolecall/dist/js/node.js', import.meta.url).href)
}
