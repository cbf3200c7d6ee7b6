import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { nearestName, PromptError, suggestName } from '@rolecall/core/internal/errors'
import { entriesOf, isDictValue, isListValue, type Value } from '@rolecall/core/internal/python'
import { loadTaskFile, readKeys, type TaskKeys } from '../../compat/lm-eval/yaml/load-task-file.ts'
import { namePattern } from '../../evaluation/config/select-by-name.ts'
import { escapePattern } from '../../python/regex/index.ts'
import type { InstalledPackage } from '../installed-package.ts'
import { readWholeText } from '../read-whole-file.ts'
import { expandPaths } from '../rows/expand-paths.ts'

/** A task with the keys of its file and of the files it includes. */
export type FoundTask = { name: string; file: string; keys: TaskKeys }

/** A group of tasks and how their metrics are aggregated. */
export type FoundGroup = { name: string; tasks: readonly string[]; metrics: Value; file: string }

export type TaskMatch = { tasks: FoundTask[]; groups: FoundGroup[] }

/** An error lists at most this many task names. */
const mostListed = 200

/** Reads files by absolute path without the leading slash, which is how task files refer to each other. */
export function readerOf(): (path: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (path) => {
    if (!known.has(path)) known.set(path, textAt(`/${path}`))
    return known.get(path)
  }
}

function textAt(file: string): string | undefined {
  return existsSync(file) && statSync(file).isFile() ? readWholeText(file) : undefined
}

/** Finds a name that is not part of a longer one: `mmlu`, not `mmlu_pro`. */
function wordOf(name: string): RegExp {
  return new RegExp(`(?<!\\w)${escapePattern(name)}(?!\\w)`)
}

function isPath(name: string): boolean {
  return ['.yaml', '.yml'].includes(extname(name)) || name.includes('/')
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

function together(found: readonly TaskMatch[]): TaskMatch {
  return { tasks: found.flatMap(({ tasks }) => tasks), groups: found.flatMap(({ groups }) => groups) }
}

/** An absolute path without the leading slash. */
export function insidePath(file: string): string {
  return resolve(file).replace(/^\/+/, '')
}

/** Finds tasks by task, group or tag name, or by file: in the given folders, then in an installed `lm_eval`. */
export class TaskIndex {
  readonly read = readerOf()
  readonly #folders: readonly string[]
  readonly #installed: InstalledPackage | undefined
  #files = new Map<string, string[]>()
  #keys = new Map<string, TaskKeys>()
  #loaded = new Map<string, TaskKeys>()
  /** The names that only the installed `lm_eval` has. */
  readonly fromInstalled = new Set<string>()

  constructor(folders: readonly string[], installed?: InstalledPackage) {
    for (const folder of folders)
      if (!existsSync(folder))
        throw new PromptError('no-folder', {
          where: '--include-path',
          problem: `there is no folder ${folder}`,
          fix: 'pass the folder with the task files',
        })
    this.#folders = folders
    this.#installed = installed
  }

  /** The tasks and groups that a name refers to. */
  find(name: string): TaskMatch {
    if (isFolder(name) && (isPath(name) || this.#named(name, [...this.#given(), ...this.#ofInstalled()]) === undefined))
      return this.#ofFolder(name)
    const pattern = namePattern(name)
    if (pattern !== undefined && !isPath(name)) return this.#matching(name, pattern)
    if (isPath(name)) return together(expandPaths(name, process.cwd(), '--tasks').map((path) => this.#byFile(path)))
    const given = this.#named(name, this.#given())
    if (given) return given
    const installed = this.#named(name, this.#ofInstalled())
    if (installed) {
      this.fromInstalled.add(name)
      return installed
    }
    throw new PromptError('unknown-task', {
      where: '--tasks',
      problem: `there is no task, group or tag "${name}"${this.#searched()}`,
      fix: this.#suggestion(name),
    })
  }

  #named(name: string, files: readonly string[]): TaskMatch | undefined {
    const own = this.#search(name, 'task', files)
    if (own) return { tasks: [{ name, file: own.file, keys: own.keys }], groups: [] }
    const group = this.#search(name, 'group', files)
    if (group) return this.#ofGroup(name, group.file, group.keys)
    const tagged = this.#tagged(name, files)
    // A tag only selects tasks: it has no metric, since those of its tasks may differ.
    return tagged.length > 0 ? { tasks: tagged, groups: [] } : undefined
  }

  /** Where a name was looked for, as the end of an error. */
  #searched(): string {
    const given = this.#folders.length > 0 ? ` in ${this.#folders.join(', ')}` : ': no task folder was given'
    if (this.#installed === undefined) return given
    const { folder, searched } = this.#installed
    if (folder === undefined) return `${given}, and there is no lm_eval in ${searched}`
    return this.#folders.length > 0 ? `${given}, nor in the installed lm_eval (${folder})` : ` in the installed lm_eval (${folder})`
  }

  #suggestion(name: string): string {
    // Older versions of lm_eval list their tasks for these names.
    if (/^list(?:_(?:groups|subtasks|tags))?$/.test(name)) return '`rolecall import FOLDER` lists the tasks of a folder'
    const names = this.names()
    if (names.length === 0) return 'pass the folder with --include-path, or name the YAML file itself'
    return nearestName(name, names) === undefined && names.length > mostListed
      ? 'correct the name, or pass the folder that has it with --include-path'
      : suggestName(name, names)
  }

  /** All task names. */
  names(): string[] {
    return [...this.#given(), ...this.#ofInstalled()].flatMap((file) => {
      const name = this.#own(file)?.get('task')
      return typeof name === 'string' ? [name] : []
    })
  }

  /** All tasks of the given folders with their keys, includes resolved; files that are not tasks are skipped. */
  *tasks(files: readonly string[] = this.#given()): Generator<FoundTask | { file: string; error: PromptError }> {
    for (const file of files) {
      const own = this.#own(file)
      if (own === undefined || typeof own.get('task') !== 'string') continue
      try {
        yield { name: String(own.get('task')), file, keys: this.#load(file) }
      } catch (error) {
        if (!(error instanceof PromptError)) throw error
        yield { file, error }
      }
    }
  }

  #byFile(path: string): TaskMatch {
    const file = insidePath(path)
    const keys = this.#load(file)
    const { task, group } = Object.fromEntries(keys)
    if (typeof group === 'string' && isListValue(task)) return this.#ofGroup(group, file, keys)
    if (typeof task !== 'string')
      throw new PromptError('not-a-task', {
        where: path,
        problem: 'the file defines no task',
        fix: 'add "task: NAME"; files meant only for inclusion are not tasks',
      })
    return { tasks: [{ name: task, file, keys }], groups: [] }
  }

  /** The tasks and groups of the YAML files directly in a folder. */
  #ofFolder(folder: string): TaskMatch {
    const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('_'))
    const found = files.sort().map((name) => this.#byFile(join(folder, name)))
    if (found.length > 0) return together(found)
    throw new PromptError('not-a-task', { where: folder, problem: 'the folder has no task files', fix: 'name a folder with YAML files' })
  }

  /** The tasks and groups whose names or tags match a pattern: `mmlu_*`. */
  #matching(name: string, pattern: RegExp): TaskMatch {
    const files = [...this.#given(), ...this.#ofInstalled()]
    const known = files.flatMap((file) => ['task', 'group', 'tag'].flatMap((key) => this.#own(file)?.get(key) ?? []))
    const names = [...new Set(known.filter((one) => typeof one === 'string' && pattern.test(one)))].sort()
    if (names.length === 0)
      throw new PromptError('unknown-task', {
        where: '--tasks',
        problem: `no task, group or tag matches "${name}"${this.#searched()}`,
        fix: 'correct the pattern, or pass the folder that has the tasks with --include-path',
      })
    return together(names.map((one) => this.find(String(one))))
  }

  #ofGroup(name: string, file: string, keys: TaskKeys): TaskMatch {
    const members = keys.get('task') ?? []
    const found: TaskMatch = { tasks: [], groups: [] }
    for (const member of isListValue(members) ? members : [members]) {
      const { tasks, groups } = this.#member(member, file)
      found.tasks.push(...tasks)
      found.groups.push(...groups)
    }
    const metrics = keys.get('aggregate_metric_list') ?? null
    return { tasks: found.tasks, groups: [{ name, tasks: found.tasks.map((task) => task.name), metrics, file }, ...found.groups] }
  }

  /** A group member: a name, a task with overrides, or a nested group. */
  #member(member: Value, file: string): TaskMatch {
    if (typeof member === 'string') return this.find(member)
    if (!isDictValue(member))
      throw new PromptError('bad-group', { where: file, problem: 'a member of the group is not a name', fix: 'write names of tasks' })
    const own: TaskKeys = new Map(entriesOf(member).map(([key, value]) => [String(key), value]))
    const { group, task } = Object.fromEntries(own)
    if (typeof group === 'string') return this.#ofGroup(group, file, own)
    if (typeof task !== 'string')
      throw new PromptError('bad-group', { where: file, problem: 'a member of the group has no task name', fix: 'write "task: NAME"' })
    const base = this.#search(task, 'task', this.#given()) ?? this.#search(task, 'task', this.#ofInstalled())
    const included = own.get('include')
    const keys: TaskKeys = new Map(
      base?.keys ?? (typeof included === 'string' ? this.#load(insidePath(join('/', dirname(file), included))) : []),
    )
    for (const [key, value] of own) if (key !== 'include') keys.set(key, value)
    return { tasks: [{ name: task, file: base?.file ?? file, keys }], groups: [] }
  }

  #search(name: string, key: 'task' | 'group', files: readonly string[]): { file: string; keys: TaskKeys } | undefined {
    const word = wordOf(name)
    for (const file of files) {
      const own = word.test(this.read(file) ?? '') ? this.#own(file) : undefined
      if (own?.get(key) === name) return { file, keys: this.#load(file) }
    }
    return undefined
  }

  #tagged(name: string, files: readonly string[]): FoundTask[] {
    const tasks: FoundTask[] = []
    const word = wordOf(name)
    const known = new Map<string, boolean>()
    for (const found of this.tasks(files.filter((file) => this.#mentions(file, word, known)))) {
      if ('error' in found) continue
      const tags = found.keys.get('tag') ?? found.keys.get('group') ?? null
      if ((isListValue(tags) ? tags : [tags]).includes(name)) tasks.push(found)
    }
    return tasks
  }

  /** Whether a file, or a file it includes, contains a word: the others need not be parsed. */
  #mentions(file: string, word: RegExp, known: Map<string, boolean>): boolean {
    const before = known.get(file)
    if (before !== undefined) return before
    // A file that includes itself ends here; loading it reports the cycle.
    known.set(file, false)
    const text = this.read(file) ?? ''
    const found = word.test(text) || this.#included(file, text).some((one) => this.#mentions(one, word, known))
    known.set(file, found)
    return found
  }

  /** The files that a file includes itself; one that is written as usual is found without parsing the file. */
  #included(file: string, text: string): string[] {
    if (!text.includes('include')) return []
    const included = /^include:[ \t]*([\w./-]+)[ \t]*$/m.exec(text)?.[1] ?? this.#own(file)?.get('include') ?? []
    return (isListValue(included) ? included : [included]).map((path) => insidePath(join('/', dirname(file), String(path))))
  }

  /** A file's keys with those it includes. */
  #load(file: string): TaskKeys {
    const keys = this.#loaded.get(file) ?? loadTaskFile(file, this.read)
    this.#loaded.set(file, keys)
    return keys
  }

  /** A file's own keys, without includes; undefined if it cannot be read. */
  #own(file: string): TaskKeys | undefined {
    const known = this.#keys.get(file)
    if (known) return known
    try {
      const keys = readKeys(file, this.read)
      this.#keys.set(file, keys)
      return keys
    } catch (error) {
      if (error instanceof PromptError) return undefined
      throw error
    }
  }

  #given(): string[] {
    return this.#folders.flatMap((folder) => this.#filesIn(folder))
  }

  #ofInstalled(): string[] {
    return this.#installed?.folder === undefined ? [] : this.#filesIn(this.#installed.folder)
  }

  #filesIn(folder: string): string[] {
    const known = this.#files.get(folder)
    if (known) return known
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ya?ml$/.test(file))
      .sort()
      .map((file) => insidePath(join(folder, file)))
    this.#files.set(folder, files)
    return files
  }
}
