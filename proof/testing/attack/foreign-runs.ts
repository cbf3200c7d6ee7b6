import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { openViewed } from '../../../packages/rolecall/src/cli/view/open-viewed.ts'
import { exportSite } from '../../../packages/rolecall/src/server/viewer/export-site.ts'
import { rolecall } from '../rolecall.ts'
import { programTimeout } from '../run-program.ts'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack } from './attack.ts'

const marker = 'words of a private answer'

/** A run folder as somebody else may give it away: changed in one place. */
type Poison = { name: string; apply(folder: string, home: string): void }
/** A command on a run folder; `out` is where it may write besides. */
type RunCommand = { name: string; run(target: RunTarget, folder: string, out: string): Promise<string> }

/** Files that a run reads or writes, besides those that a finished run has. */
const laterFiles = [
  'run.lock',
  'control.path',
  'replaced.jsonl',
  'annotations.jsonl',
  'configs/config.json.new',
  'configs/run.json.new',
  'predictions/m/d.index',
  'predictions/m/d.jsonl.sorting',
  'results/m/d.json.new',
  'summary/summary.json.new',
]

/** The ways in which a path that leads to the private file can be written. */
const spellings = (home: string, folder: string): readonly (readonly [name: string, path: string])[] => {
  const path = join(home, 'private/secret.jsonl')
  return [
    ['a path that leads up', relative(folder, path)],
    ['a path that leads up behind a folder', `predictions/../${relative(folder, path)}`],
    ['an absolute path', path],
    ['a path with backslashes', relative(folder, path).replaceAll('/', '\\')],
  ]
}

/** Every text in the JSON files of a run's configuration, every file and every folder: what a path could be, and what a link could be. */
function poisonsOf(folder: string, home: string): Poison[] {
  const texts = textsIn(JSON.parse(readFileSync(join(folder, 'configs/run.json'), 'utf8')) as object)
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
  const names = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const files = [...names.filter((_, place) => entries[place]!.isFile()), ...laterFiles]
  const folders = names.filter((_, place) => entries[place]!.isDirectory())
  const inJson = texts.flatMap((keys) =>
    spellings(home, folder).map(
      ([name, path]): Poison => ({
        name: `${keys.join('.')} is ${name}`,
        apply: (copy) => editJson(join(copy, 'configs/run.json'), keys, path),
      }),
    ),
  )
  const kinds: readonly (readonly [kind: string, put: (place: string) => void])[] = [
    ['a link to a private file', (place) => symlinkSync(join(home, 'private/secret.jsonl'), place)],
    ['a link to /dev/zero', (place) => symlinkSync('/dev/zero', place)],
    ['a pipe', (place) => void execFileSync('mkfifo', [place], { timeout: programTimeout })],
  ]
  const instead = files.flatMap((name) =>
    kinds.map(
      ([kind, put]): Poison => ({
        name: `${name} is ${kind}`,
        apply(copy) {
          rmSync(join(copy, name), { force: true })
          mkdirSync(dirname(join(copy, name)), { recursive: true })
          put(join(copy, name))
        },
      }),
    ),
  )
  const linked = folders.map(
    (name): Poison => ({
      name: `${name} is a link to a folder elsewhere`,
      apply(copy, to) {
        const other = join(to, 'private/copies', name.replaceAll('/', '-'))
        mkdirSync(dirname(other), { recursive: true })
        if (!existsSync(other)) cpSync(join(copy, name), other, { recursive: true })
        rmSync(join(copy, name), { recursive: true })
        symlinkSync(other, join(copy, name))
      },
    }),
  )
  return [...inJson, ...instead, ...linked]
}

/** Commands that open a run folder. */
export const runCommands: readonly RunCommand[] = [
  command('score', (folder) => ['score', folder]),
  command('run -r', (folder) => ['run', 'config.json', '-r', folder, '--no-cache']),
  command('publish', (folder, out) => ['publish', folder, '--export-format', 'opencompass', '-o', join(out, 'published')]),
  command('compare', (folder, _, target) => ['compare', folder, target.run]),
  command('why', (folder, out, target) => ['why', folder, target.run, '--export', join(out, 'why.html')]),
  command('runs merge', (folder, out, target) => ['merge', folder, target.shard, '-o', join(out, 'merged')]),
  {
    name: 'view',
    async run(_, folder) {
      const { runs } = await openViewed([folder])
      const shown: unknown[] = []
      for (const { run } of runs ?? []) {
        shown.push(await run.state())
        for (const pair of run.info.pairs.keys()) shown.push(attemptTo(() => run.records(pair, 0, 100)))
        run.close()
      }
      return JSON.stringify(shown)
    },
  },
  {
    name: 'view --export',
    async run({ viewer }, folder, out) {
      const viewed = await openViewed([folder])
      await exportSite({ version: 'test', ...viewed }, join(out, 'site'), { viewer })
      for (const { run } of viewed.runs ?? []) run.close()
      return ''
    },
  },
]

function command(name: string, args: (folder: string, out: string, target: RunTarget) => string[]): RunCommand {
  return {
    name,
    async run(target, folder, out) {
      const { stdout, stderr } = await rolecall(args(folder, out, target), target.project)
      return stdout + stderr
    },
  }
}

function attemptTo<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

/** A user's home with a private file, and a project with a run, whose copies are attacked. */
export class RunTarget {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'rolecall-home-')))
  readonly project = join(this.home, 'project')
  readonly run = join(this.project, 'run')
  /** The second of two shards; the first is what `merge` is attacked with. */
  readonly shard = join(this.project, 'shard-2')
  readonly viewer = join(this.home, 'viewer')
  #attacks = 0
  #secret = ''

  static async open(): Promise<RunTarget> {
    const target = new RunTarget()
    const choices = [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }]
    const server = await scriptedServer(() => ({ json: { choices, usage: {} } }))
    const infer_cfg = { prompt_template: { messages: [{ role: 'user', content: '{q}' }] } }
    const config = {
      models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: `${server.url}/v1`, format: 'messages', key_env: 'NO_KEY', retries: 0 }],
      datasets: [
        {
          abbr: 'd',
          path: 'rows.jsonl',
          reader_cfg: { input_columns: ['q'], output_column: 'a' },
          infer_cfg,
          eval_cfg: { evaluator: { type: 'AccEvaluator' } },
        },
      ],
    }
    for (const folder of ['project', 'private', 'viewer']) mkdirSync(join(target.home, folder))
    writeFileSync(join(target.viewer, 'index.html'), '<html></html>')
    writeFileSync(join(target.project, 'rows.jsonl'), '{"q":"1+1=?","a":"x"}\n{"q":"2+2=?","a":"x"}\n{"q":"3+3=?","a":"x"}\n')
    writeFileSync(join(target.project, 'config.json'), JSON.stringify(config))
    const made = async (...flags: string[]) => {
      const { code, stderr } = await rolecall(['run', 'config.json', '--no-cache', '--work-dir', 'made', ...flags], target.project)
      if (code !== 0) throw new Error(stderr)
      const [info] = readdirSync(join(target.project, 'made'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('configs/run.json'),
      )
      return dirname(dirname(join(target.project, 'made', info!)))
    }
    for (const [place, flags] of [
      [target.run, []],
      [`${target.project}/shard-1`, ['--shard', '1/2']],
      [target.shard, ['--shard', '2/2']],
    ] as const) {
      renameSync(await made(...flags), place)
      rmSync(join(target.project, 'made'), { recursive: true, force: true })
    }
    await server.close()
    // A private run of the user's, whose last line was torn: whoever opens it as its own cuts that line off.
    const records = readFileSync(join(target.run, 'predictions/m/d.jsonl'), 'utf8').replaceAll('"x"', JSON.stringify(marker))
    target.#secret = `${records}{"torn": "${marker}`
    target.#restore()
    return target
  }

  /** An attack that succeeded leaves nothing for the next one to damage, which would then seem to fail. */
  #restore(): void {
    rmSync(join(this.home, 'private/secret.index'), { force: true })
    writeFileSync(join(this.home, 'private/secret.jsonl'), this.#secret)
  }

  poisons(): Poison[] {
    return poisonsOf(this.run, this.home)
  }

  /** A copy of the run, or for `merge` of its first shard, with one place changed. */
  poisoned(poison: Poison, ofShard = false): string {
    const copy = join(this.project, `foreign-${this.#attacks++}`)
    cpSync(ofShard ? join(this.project, 'shard-1') : this.run, copy, { recursive: true })
    poison.apply(copy, this.home)
    return copy
  }

  /** What is wrong after a command on a foreign run; undefined if nothing is. */
  async attack(poison: Poison, { name, run }: RunCommand): Promise<string | undefined> {
    this.#restore()
    const copy = this.poisoned(poison, name === 'runs merge')
    const out = join(this.home, 'out')
    mkdirSync(out)
    const before = stateOf(this.home, [copy, out])
    try {
      const shown = await run(this, copy, out).catch((error: unknown) => {
        if (error instanceof PromptError) return error.message
        throw error
      })
      const published = [shown, ...filesIn(out).map((file) => readFileSync(file, 'latin1'))].some((text) => text.includes(marker))
      const after = stateOf(this.home, [copy, out])
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
      if (published) return 'the private answers were shown'
      if (changed.length > 0) return `files outside the run were changed: ${changed.join(', ')}`
      return / {4}at .*:\d+:\d+\)?$/m.test(shown) ? `the command crashed: ${shown.slice(0, 500)}` : undefined
    } finally {
      rmSync(copy, { recursive: true, force: true })
      rmSync(out, { recursive: true, force: true })
      rmSync(join(this.home, 'private/copies'), { recursive: true, force: true })
    }
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** The hash of each file of a folder, except below some. */
function stateOf(folder: string, except: readonly string[]): Map<string, string> {
  const files = filesIn(folder).filter((file) => !except.some((path) => file.startsWith(`${path}/`)))
  return new Map(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

type Keys = readonly (string | number)[]

function textsIn(value: unknown, keys: Keys = []): Keys[] {
  if (typeof value === 'string') return [keys]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, [...keys, Array.isArray(value) ? Number(key) : key]))
}

function editJson(file: string, keys: Keys, text: string): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as object
  const last = keys.at(-1)!
  const parent = keys.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], content)
  ;(parent as Record<string | number, unknown>)[last] = text
  writeFileSync(file, JSON.stringify(content))
}

/** Run folders of others, changed in any one place, in every command that opens a run. */
export const foreignRuns: Attack = {
  name: 'foreign runs',
  holds: 'a run folder reads, shows and writes no file outside itself: any path, link, pipe or device, in any command',
  async run({ chance, goesOn, tried, gotThrough }) {
    const target = await RunTarget.open()
    try {
      const poisons = target.poisons()
      while (goesOn()) {
        const [poison, command] = [chance.pick(poisons), chance.pick(runCommands)]
        const problem = await target.attack(poison, command)
        tried()
        if (problem !== undefined) gotThrough(`${command.name}, ${poison.name}: ${problem}`)
      }
    } finally {
      target.close()
    }
  },
}
