import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programTimeout } from './run-program.ts'

// CONTRIBUTING says that adding a format, evaluator, inferencer, model type or command takes one file and one line. This test adds one of
// each to a copy of the code and runs them together.

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A new file, and the line added to another file: the import and the entry. */
type Addition = { file: string; text: string; into: string; line: [before: string, added: string]; imports?: string }

const additions: Record<string, Addition> = {
  format: {
    file: 'packages/core/src/prompt/format/presets/shout.ts',
    text: `import type { Preset } from './index.ts'
export const shout: Preset = {
  description: 'for this test',
  origin: 'proof/testing/adding.slow.test.ts',
  meta_template: { round: [{ role: 'HUMAN', begin: 'HEY ', end: '!' }, { role: 'BOT', begin: ' SO: ', generate: true }] },
}
`,
    into: 'packages/core/src/prompt/format/presets/index.ts',
    line: ['export const presets: Readonly<Record<string, Preset>> = {', '  shout,'],
    imports: `import { shout } from './shout.ts'`,
  },
  evaluator: {
    file: 'packages/rolecall/src/evaluation/score/evaluate/starts-alike.ts',
    text: `import * as z from 'zod'
import { pyStr } from '../../../base/python/index.ts'
import { defineEvaluator, verdict } from './evaluator.ts'
export const startsAlike = defineEvaluator({
  names: ['StartsAlikeEvaluator'],
  does: 'Right when both start with the same letter.',
  example: { answers: ['Ab'], gold: ['Ac'], figures: { accuracy: 100 } },
  options: z.strictObject({}),
  with: () => ({
    metric: 'accuracy',
    unit: 'percent',
    needsReference: true,
    judge: ({ prediction, reference }) => verdict(pyStr(prediction)[0] === pyStr(reference)[0], {}),
  }),
})
`,
    into: 'packages/rolecall/src/evaluation/score/evaluate/evaluators.ts',
    line: ['const coreEvaluators = evaluatorsIn(equality, numeric, {', '  startsAlike,'],
    imports: `import { startsAlike } from './starts-alike.ts'`,
  },
  inferencer: {
    file: 'packages/rolecall/src/evaluation/run/ask/twice.ts',
    text: `import { generated, type Inferencer } from './inferencer.ts'
/** Sends the question twice; the second reply counts. */
export const twice: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  *ask(plan, { row, examples }) {
    const prompts = [plan.write({ row, examples, mode: 'gen' })]
    const first = yield* generated({ kind: 'generate', prompts, samples: 1, standIn: 'first' })
    const second = yield* generated({ kind: 'generate', prompts, samples: 1 })
    return { prediction: [first, second].map(({ replies }) => replies[0]!.text).join('/') }
  },
}
`,
    into: 'packages/rolecall/src/evaluation/run/ask/inferencers.ts',
    line: ['const registered: Record<string, Inferencer> = {', '  TwiceInferencer: twice,'],
    imports: `import { twice } from './twice.ts'`,
  },
  'model type': {
    file: 'packages/rolecall/src/model/model-types/echo.ts',
    text: `import type { ModelType } from './model-type.ts'
const fields = {}
/** Replies with the length of its prompt. */
export const echo: ModelType<typeof fields> = {
  name: 'echo',
  fields,
  flag: { usage: 'echo', read: () => ({ abbr: 'echo', format: 'shout' }) },
  identity: () => '',
  open: async () => ({
    name: 'echo',
    async generate(prompt) {
      const text = prompt.kind === 'completion' ? prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') : ''
      return { text: \`A\${text.length}\`, finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
    },
  }),
}
`,
    into: 'packages/rolecall/src/model/model-types/index.ts',
    line: ['const types = [', 'echo,'],
    imports: `import { echo } from './echo.ts'`,
  },
  command: {
    file: 'packages/rolecall/src/cli/hello-command.ts',
    text: `import { Command } from 'commander'
export const helloCommand = new Command('hello').description('greet').action(() => void process.stdout.write('hello from a new command\\n'))
`,
    into: 'packages/rolecall/src/cli/commands.ts',
    line: ['  Housekeeping: {', "    hello: ['greet', async () => (await import('./hello-command.ts')).helloCommand],"],
  },
}

let copy: string

beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'rolecall-adding-')))
  for (const name of ['src', 'scripts', 'embedded-model', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !/\.test\.ts$|embedded-model\/training/.test(path) })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
  for (const { file, text, into, line, imports } of Object.values(additions)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
    const before = readFileSync(join(copy, into), 'utf8')
    const [anchor, added] = line
    expect(before.split(anchor)).toHaveLength(2)
    writeFileSync(join(copy, into), `${imports ? `${imports}\n` : ''}${before.replace(anchor, () => `${anchor}\n${added}`)}`)
  }
  const built = node(['node_modules/jiti/lib/jiti-cli.mjs', 'scripts/bundle.ts', 'built'])
  expect(built.stderr).toBe('')
}, 120_000)

afterAll(() => rmSync(copy, { recursive: true, force: true }))

function node(args: readonly string[], cwd = copy) {
  const env = { ...process.env, NO_COLOR: '1', ROLECALL_CACHE: 'off' }
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8', timeout: programTimeout })
  return { stdout, stderr, status }
}

const rolecall = (...args: string[]) => node([join(copy, 'built/app/cli/main.js'), ...args])

test('one file and one line add a format, an evaluator, an inferencer, a model type or a command', () => {
  writeFileSync(
    join(copy, 'rolecall.config.json'),
    JSON.stringify({
      models: [{ abbr: 'mine', type: 'echo', format: 'shout' }],
      datasets: [
        {
          abbr: 'greetings',
          rows: [{ question: 'hi', answer: 'A12/A12' }],
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: {
            prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } },
            inferencer: { type: 'TwiceInferencer' },
          },
          eval_cfg: { evaluator: { type: 'StartsAlikeEvaluator' } },
        },
      ],
    }),
  )
  const rendered = rolecall('render', '--json')
  expect(rendered.stderr).toBe('')
  const shown = JSON.parse(rendered.stdout) as { prompt: { pieces: { text: string }[] } }[]
  expect(shown.map(({ prompt }) => prompt.pieces.map(({ text }) => text).join(''))).toEqual(['HEY hi! SO: ', 'HEY hi! SO: '])
  const run = rolecall('run', '--prompts')
  expect(run.stderr + run.stdout).toContain('accuracy 100.0')
  expect(run.status, run.stderr).toBe(0)
  expect(rolecall('hello').stdout).toBe('hello from a new command\n')
  expect(rolecall('formats').stdout).toContain('shout')
  expect(rolecall('chat', '--help').stdout).toContain('echo')
}, 120_000)

test('CONTRIBUTING names the file of each line', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  for (const { into } of Object.values(additions)) expect(page).toContain(`\`${into}\``)
})
