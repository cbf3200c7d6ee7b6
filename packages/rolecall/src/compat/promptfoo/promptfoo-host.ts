/** What a config may look at outside itself. Paths are relative to its folder. */
export type PromptfooHost = {
  readText(path: string): string
  /** The paths that match a pattern, sorted; none if nothing does. */
  matching(pattern: string): readonly string[]
  /** A script as JavaScript, without types. */
  readScript(path: string): string
  /** Whether code in files that the config names may run. */
  allowExec: boolean
}

export type PromptfooFields = Readonly<Record<string, unknown>>

/** Notes what is not read: where, and why. */
export type LeaveOut = (where: string, text: string) => void

export function fieldsOf(value: unknown): PromptfooFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PromptfooFields) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The path of `file://…`; undefined if the value names no file. */
export function fileIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('file://') ? value.slice('file://'.length) : undefined
}

/** `checks.js:mine` as a path and the name of an export. */
export function functionIn(path: string): { path: string; name?: string } {
  const [, file, name] = /^(.+\.\w+):([\w$]+)$/.exec(path) ?? []
  return file === undefined || name === undefined ? { path } : { path: file, name }
}

export function isScript(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path)
}

/** Why code of files does not run, and what allows it. */
export const needsAllowExec = 'runs code of another file: pass --allow-exec if you trust it'
