import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

// What differs between operating systems. Every function takes the platform, so that tests cover all of them on any machine.

type Platform = NodeJS.Platform

const pathsOf = (platform: Platform) => (platform === 'win32' ? win32 : posix)

/**
 * Whether an absolute path is this folder or inside it; links are not followed.
 *
 * @example
 * isInside('/data/rows.jsonl', '/data', 'linux') // => true
 * isInside('C:\\database', 'C:\\data', 'win32') // => false
 */
export function isInside(path: string, folder: string, platform: Platform = process.platform): boolean {
  const { isAbsolute, relative, sep } = pathsOf(platform)
  const rest = relative(folder, path)
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest)
}

/**
 * A path as configs, patterns and records write it, with slashes.
 *
 * @example
 * slashed('configs\\eval.py', 'win32') // => 'configs/eval.py'
 */
export function slashed(path: string, platform: Platform = process.platform): string {
  return platform === 'win32' ? path.replaceAll('\\', '/') : path
}

/**
 * The root of an absolute path, and the names after it.
 *
 * @example
 * pathSteps('C:\\data\\a.csv', 'win32') // => { root: 'C:\\', names: ['data', 'a.csv'] }
 */
export function pathSteps(path: string, platform: Platform = process.platform): { root: string; names: string[] } {
  const { root } = pathsOf(platform).parse(path)
  return { root, names: slashed(path.slice(root.length), platform).split('/') }
}

type Environment = Readonly<Record<string, string | undefined>>

/** The folder for caches of this user. */
export function userCacheFolder(
  platform: Platform = process.platform,
  environment: Environment = process.env,
  home: string = homedir(),
): string {
  if (environment.XDG_CACHE_HOME) return environment.XDG_CACHE_HOME
  if (platform === 'win32' && environment.LOCALAPPDATA) return environment.LOCALAPPDATA
  return pathsOf(platform).join(home, '.cache')
}

/** The command that opens an address in the browser. */
export function browserCommand(url: string, platform: Platform = process.platform): [program: string, ...args: string[]] {
  // Not `cmd /c start`, which reads & in an address as the end of the command.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return [platform === 'darwin' ? 'open' : 'xdg-open', url]
}

/**
 * A word of a command to copy, quoted for the user's shell where needed.
 *
 * @example
 * quoteWord("it's", 'linux') // => "'it'\\''s'"
 * quoteWord('my data', 'win32') // => '"my data"'
 */
export function quoteWord(word: string, platform: Platform = process.platform): string {
  const plain = platform === 'win32' ? /^[\w.\\/:@+=-]+$/ : /^[\w./:@%+=-]+$/
  if (plain.test(word)) return word
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`
}

/** The file name of a program. */
export function programName(name: string, platform: Platform = process.platform): string {
  return platform === 'win32' ? `${name}.exe` : name
}

/** A path at which nothing can be created, for programs that must not write a cache. */
export function impossibleFolder(platform: Platform = process.platform): string {
  return platform === 'win32' ? 'NUL\\none' : '/dev/null/none'
}

/** Whether processes of this machine find each other by named pipes instead of sockets in folders. */
export function usesNamedPipes(platform: Platform = process.platform): boolean {
  return platform === 'win32'
}
