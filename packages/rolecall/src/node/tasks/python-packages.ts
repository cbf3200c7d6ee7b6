import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PythonPackages } from '../../compat/lm-eval/dataset/task-spec.ts'
import { downloadCommand } from '../../compat/lm-eval/python/download-command.ts'
import { scoringFunctions } from '../../compat/lm-eval/python/scoring-functions.ts'
import type { UnsupportedPart } from '../../compat/lm-eval/python/unsupported-parts.ts'
import type { TaskConfig } from '../../compat/lm-eval/task/task-config.ts'
import type { FindFunction } from '../../compat/lm-eval/task/task-function.ts'
import type { FunctionMark } from '../../compat/lm-eval/yaml/function-mark.ts'
import { readArchive } from '../hub/unzip.ts'
import { nodeSha256 } from '../models/node-sha256.ts'

/** A wheel, the modules it has, and its name and version. */
type Wheel = { file: string; sha256: string; name: string; modules: ReadonlySet<string> }

/** The largest wheels that the sandbox takes, in bytes. */
const largest = 32 * 2 ** 20

const known = new Map<string, readonly Wheel[]>()

/**
 * The wheels of `--python-packages` for a task whose Python files import a module of one of them, and the functions that need them;
 * undefined if none does. All wheels are taken, since they may need each other. `hostWithout` finds functions without these modules: a
 * function that then lacks one of them runs in Python, and so does process_results in any case.
 */
export function pythonPackagesOf(
  folder: string | undefined,
  sources: Readonly<Record<string, string>>,
  config: TaskConfig,
  hostWithout: (modules: ReadonlySet<string>) => FindFunction,
): (Required<PythonPackages> & { names: readonly string[] }) | undefined {
  if (folder === undefined) return undefined
  const wheels = wheelsIn(folder)
  const imported = new Set(Object.values(sources).flatMap(importsOf))
  const used = wheels.filter(({ modules }) => [...modules].some((module) => imported.has(module) && !dataPackages.has(module)))
  if (used.length === 0) return undefined
  const packaged = new Set(used.flatMap(({ modules }) => [...modules]))
  const find = hostWithout(packaged)
  const findWithAll = hostWithout(new Set())
  const needsPackage = (mark: FunctionMark) => {
    const parts = find(mark).unsupported()
    // A name without a module may be defined with the help of a package.
    const isPackaged = (part: UnsupportedPart) =>
      (part.package === undefined && !part.name.includes('.')) || packaged.has(part.package ?? part.name.split('.')[0]!)
    return parts.some(isPackaged) || (parts.length > 0 && findWithAll(mark).unsupported().length === 0)
  }
  const needing = [...scoringFunctions(config)].filter(
    ([mark, role]) => role === 'process_results' || (!find(mark).callMethod && needsPackage(mark)),
  )
  if (needing.length === 0) return undefined
  const perReply = needing.find(([, role]) => role !== 'aggregation')
  if (perReply && (config.outputType !== 'generate_until' || config.repeats > 1))
    throw new PromptError('bad-task', {
      where: `${config.where} › ${perReply[0].path}`,
      problem: 'of functions that are called for each document, only those that score one generated reply can run in the Python sandbox',
      fix: 'leave --python-packages out',
    })
  return {
    wheels: wheels.map(({ file, sha256 }) => ({ file, sha256 })),
    functions: [...new Set(needing.map(([{ path }]) => path))],
    names: used.map(({ name }) => name),
  }
}

export function pythonNote(task: string, paths: readonly string[], names: readonly string[]): Note {
  const shown = paths.length > 3 ? [...paths.slice(0, 2), `${paths.length - 2} more functions`] : paths
  const functions = shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} run` : `${shown[0]} runs`
  return { code: 'python-packages', text: `${task}: ${functions} in the Python sandbox with ${names.join(', ')}` }
}

/** Packages whose data is read, while Rolecall has their functions itself. */
const dataPackages: ReadonlySet<string> = new Set(['wonderwords'])

/** A text file of the packages of a folder; undefined if none has it. */
export function packageFile(folder: string | undefined, path: string): string | undefined {
  const [module = ''] = path.split('/')
  const wheel = folder === undefined ? undefined : wheelsIn(folder).find(({ modules }) => modules.has(module))
  const archive = wheel && readArchive(wheel.file)
  return archive?.names.includes(path) ? archive.content(path).toString('utf8') : undefined
}

/** Notes which packages of a folder have data that the Python files of a task read. */
export function packageDataNotes(task: string, folder: string | undefined, sources: Readonly<Record<string, string>>): Note[] {
  const imported = new Set(Object.values(sources).flatMap(importsOf))
  const used = [...dataPackages].filter((module) => imported.has(module))
  const wheels = folder === undefined ? [] : wheelsIn(folder).filter(({ modules }) => used.some((module) => modules.has(module)))
  return wheels.map(({ name }) => ({ code: 'package-data', text: `${task}: its functions use the data of ${name}` }))
}

/** The top-level modules that a Python file imports. */
export function importsOf(text: string): string[] {
  const froms = [...text.matchAll(/^[ \t]*from[ \t]+(\w+)(?:\.[\w.]*)?[ \t]+import\b/gm)].map(([, module]) => module!)
  const imports = [...text.matchAll(/^[ \t]*import[ \t]+([\w., \t]+)/gm)].flatMap(([, list]) => list!.split(','))
  return [...froms, ...imports.map((one) => /^\s*(\w*)/.exec(one)![1]!)]
}

/** The wheels of a folder, which are read once; throws if there are none, or one that the sandbox cannot use. */
export function wheelsIn(folder: string): readonly Wheel[] {
  const wheels = known.get(resolve(folder)) ?? readWheels(folder)
  known.set(resolve(folder), wheels)
  return wheels
}

function readWheels(folder: string): Wheel[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new PromptError('no-folder', {
      where: '--python-packages',
      problem: `there is no folder ${folder}`,
      fix: `download the packages: ${downloadCommand('PACKAGE', folder)}`,
    })
  const files = readdirSync(folder).filter((name) => name.endsWith('.whl'))
  if (files.length === 0)
    throw new PromptError('no-wheels', {
      where: '--python-packages',
      problem: `there are no wheels (.whl) in ${folder}`,
      fix: `download the packages: ${downloadCommand('PACKAGE', folder)}; for one that has none, write pip wheel -w ${folder} PACKAGE`,
    })
  return files.sort().map((name) => readWheel(join(folder, name), name))
}

function readWheel(file: string, name: string): Wheel {
  const [distribution = name, version = '', ...tags] = name.slice(0, -'.whl'.length).split('-')
  if (tags.slice(-2).join('-') !== 'none-any')
    throw new PromptError('not-pure', {
      where: file,
      problem: 'it is not pure Python: it has compiled code for one kind of machine',
      fix: `remove it; ${downloadCommand(distribution, 'DIR')} finds a pure one if there is one`,
    })
  if (statSync(file).size > largest)
    throw new PromptError('too-large', { where: file, problem: 'it is larger than 32 MiB', fix: 'leave it out' })
  const names = readArchive(file).names
  const modules = names.flatMap((path) => {
    const [top = '', ...inside] = path.split('/')
    if (inside.length > 0) return /^\w+$/.test(top) ? [top] : []
    return /^\w+\.py$/.test(top) ? [top.slice(0, -3)] : []
  })
  return { file: resolve(file), sha256: nodeSha256(readFileSync(file)), name: `${distribution} ${version}`, modules: new Set(modules) }
}
