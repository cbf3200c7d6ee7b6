import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { copyClone } from './copied-clone.ts'
import { programTimeout } from './run-program.ts'
import { scriptedServer } from './scripted-server.ts'

// CONTRIBUTING says that adding a format, evaluator, inferencer, model type or command takes one file and one line, and a sampling setting, a
// format source or a note one row of a table. This test adds one of each to a copy of the code and runs them together.

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A new file, if it takes one, and the line added to another file: the import and the entry. */
type Addition = { file?: string; text?: string; into: string; line: [before: string, added: string]; imports?: string }

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
  'format source': {
    into: 'packages/rolecall/src/node/formats/format-sources.ts',
    line: [
      'export const formatSources = [',
      `  {
    what: 'a loud file (.loud)',
    flag: { name: '--loud-file', value: 'path' },
    files: { named: /\\.loud$/ },
    read: ({ text, path = text }) => ({
      kind: 'settings',
      settings: { meta_template: { round: [{ role: 'HUMAN', begin: readWholeText(path), end: '\\n' }, { role: 'BOT', generate: true }] } },
    }),
  },`,
    ],
  },
  note: {
    into: 'packages/rolecall/src/evaluation/run/evaluation-notes.ts',
    line: ['export const evaluationNotes = {', "  'sent-twice': { severity: 'note', en: 'questions are sent twice', zh: '问题发送两次' },"],
  },
  evaluator: {
    file: 'packages/rolecall/src/evaluation/score/evaluate/starts-alike.ts',
    text: `import * as z from 'zod'
import { pyStr } from '@rolecall/core/internal/python'
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
    text: `import type { Note } from '@rolecall/core/internal/errors'
import { generated, type Inferencer } from './inferencer.ts'
/** Sends the question twice; the second reply counts. */
export const twice: Inferencer = {
  mode: 'gen',
  needs: 'generate',
  *ask(plan, { row, examples }) {
    const written = plan.write({ row, examples, mode: 'gen' })
    const note: Note = { code: 'sent-twice', text: 'the question is sent twice' }
    const prompts = [{ ...written, prompt: { ...written.prompt, notes: [...written.prompt.notes, note] } }]
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

/** A row of the table of sampling settings: it has no effect on models that run here, so that they refuse it. */
const setting = {
  into: 'packages/rolecall/src/model/language-model/sampling-settings.ts',
  anchor: 'export const samplingSettings = {',
  row: `  lucky_guess: {
    schema: z.number().check(z.gte(0), z.lte(1)),
    neutral: 0,
    doc: { en: 'How often a guess is lucky', zh: '猜中的频率' },
    cause: { en: 'luck', zh: '运气' },
    refused: 'there is no luck',
    example: 0.5,
    wire: { openai: 'lucky_guess' },
  },`,
}

let copy: string

beforeAll(() => {
  copy = copyClone(['docs', 'packages/viewer/src'])
  for (const { file, text = '', into, line, imports } of Object.values(additions)) {
    if (file !== undefined) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      writeFileSync(join(copy, file), text)
    }
    const before = readFileSync(join(copy, into), 'utf8')
    const [anchor, added] = line
    expect(before.split(anchor)).toHaveLength(2)
    writeFileSync(join(copy, into), `${imports ? `${imports}\n` : ''}${before.replace(anchor, () => `${anchor}\n${added}`)}`)
  }
  const table = readFileSync(join(copy, setting.into), 'utf8')
  expect(table.split(setting.anchor)).toHaveLength(2)
  writeFileSync(
    join(copy, setting.into),
    table.replace(setting.anchor, () => `${setting.anchor}\n${setting.row}`),
  )
  // The first call builds.
  expect(rolecall('--version').stdout).toMatch(/^\d/)
}, 120_000)

function node(args: readonly string[], cwd = copy) {
  const env = { ...process.env, NO_COLOR: '1', ROLECALL_CACHE: 'off' }
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8', timeout: programTimeout })
  return { stdout, stderr, status }
}

const rolecall = (...args: string[]) => node([join(copy, 'packages/rolecall/bin/rolecall.mjs'), ...args])

/** While a server of this process answers. */
function rolecallAsking(cwd: string, ...args: string[]): Promise<{ output: string; code: number }> {
  const env = { ...process.env, NO_COLOR: '1', ROLECALL_CACHE: 'off' }
  const all = [join(copy, 'packages/rolecall/bin/rolecall.mjs'), ...args]
  return new Promise((resolve) =>
    execFile(process.execPath, all, { cwd, env, timeout: programTimeout }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error ? Number(error.code) : 0 }),
    ),
  )
}

/** What a program over the copy's code prints. */
function printed(code: string): unknown {
  writeFileSync(join(copy, 'printed.ts'), code)
  const { stdout, stderr } = node(['scripts/ts.mjs', 'printed.ts'])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

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
  expect(rolecall('render').stdout).toContain('note the question is sent twice')
  const run = rolecall('run', '--prompts')
  expect(run.stderr + run.stdout).toMatch(/^mine .* 100\.0 {2}\[/m)
  expect(run.status, run.stderr).toBe(0)
  expect(rolecall('hello').stdout).toBe('hello from a new command\n')
  expect(rolecall('formats').stdout).toContain('shout')
  expect(rolecall('chat', '--help', 'all').stdout).toContain('echo')
}, 120_000)

test('one row adds a note: to the records, the command line, the viewer in both languages and the docs', () => {
  const [run] = readdirSync(join(copy, 'outputs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('greetings.jsonl'))
  const record = JSON.parse(readFileSync(join(copy, 'outputs', run!), 'utf8').split('\n')[0]!) as { notes: unknown }
  expect(record.notes).toEqual([{ code: 'sent-twice', text: 'the question is sent twice' }])
  const shown = printed(`
    import { notesTable } from './docs/notes-table.ts'
    import { setLanguage } from './packages/viewer/src/texts/language.ts'
    import { noteName } from './packages/viewer/src/texts/note-names.ts'
    setLanguage('zh')
    console.log(JSON.stringify([noteName('sent-twice'), notesTable('en'), notesTable('zh')]))`)
  expect(shown).toEqual([
    '问题发送两次',
    expect.stringContaining('| `sent-twice` | note | questions are sent twice |'),
    expect.stringContaining('| `sent-twice` | note | 问题发送两次 |'),
  ])
}, 120_000)

test('an entry of the table adds a format source, which every command takes, with --format, a flag of its own or as an argument', () => {
  writeFileSync(join(copy, 'mine.loud'), 'OI ')
  writeFileSync(join(copy, 'chats.jsonl'), '{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]}\n')
  for (const flag of ['--format', '--loud-file']) expect(rolecall('render', '--json', flag, 'mine.loud').stdout).toContain('"OI "')
  for (const args of [
    ['tokens', '--format', 'mine.loud'],
    ['run', '--dry-run', '--loud-file', 'mine.loud'],
    ['export', 'chats.jsonl', '-o', 'rows.jsonl', '--format', 'mine.loud'],
    ['init', '--yes', '--force', '--model', 'none', '--format', 'mine.loud'],
    ['diff', 'mine.loud', 'chatml'],
    ['convert', 'mine.loud', '--to', 'meta'],
    ['formats', 'mine.loud'],
  ]) {
    const { status, stderr } = rolecall(...args)
    expect(status, `${args.join(' ')}: ${stderr}`).toBe(0)
  }
  // packages/rolecall/src/cli/every-format.test.ts looks at the help of every command.
  for (const command of ['serve', 'verify', 'lint'])
    expect(rolecall(command, '--help', 'all').stdout.replace(/\s+/g, ' '), command).toContain('a loud file (.loud)')
  expect(rolecall('render', '--format', 'gone.loud').stderr).toContain('no file or folder of this name')
}, 300_000)

test('one row of one file adds a sampling setting: flag, request, record, -r, key, why, viewer and docs', async () => {
  const server = await scriptedServer(() => ({
    json: { choices: [{ index: 0, message: { role: 'assistant', content: '42' }, finish_reason: 'stop' }] },
  }))
  const folder = join(copy, 'lucky')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'rolecall.config.json'),
    JSON.stringify({
      models: [{ abbr: 'served', type: 'openai', path: 'm', base_url: server.url }],
      datasets: [
        {
          abbr: 'sums',
          rows: [{ question: '40+2', answer: '42' }],
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: '{question}' } },
        },
      ],
    }),
  )
  const bodies = () => server.seen.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body) as { lucky_guess?: number }]))
  const run = (...flags: string[]) => rolecallAsking(folder, 'run', '-w', 'out', ...flags)
  try {
    const first = await run('--lucky-guess', '0.25')
    expect(first.code, first.output).toBe(0)
    expect(bodies().map((body) => body.lucky_guess)).toEqual([0.25])
    const [time] = readdirSync(join(folder, 'out')) as [string]
    const recorded = join(folder, 'out', time)
    expect(JSON.parse(readFileSync(join(recorded, 'configs/run.json'), 'utf8'))).toMatchObject({ options: { luckyGuess: 0.25 } })

    // Resumed, the answered row is kept; without its record, it is sent as before. Another value is another key.
    expect((await run('-r', time)).output).toContain('1 row, 1 kept, 0 in')
    rmSync(join(recorded, 'predictions'), { recursive: true })
    await run('-r', time)
    expect(bodies().map((body) => body.lucky_guess)).toEqual([0.25, 0.25])
    const another = await rolecallAsking(folder, 'run', '-w', 'other', '--lucky-guess', '0.75')
    expect(another.code, another.output).toBe(0)
    const [otherTime] = readdirSync(join(folder, 'other')) as [string]
    const other = join(folder, 'other', otherTime)
    const keyIn = (path: string) => (JSON.parse(readFileSync(join(path, 'predictions/served/sums.jsonl'), 'utf8')) as { key: string }).key
    expect(keyIn(other)).not.toBe(keyIn(recorded))

    expect((await rolecallAsking(folder, 'why', recorded, other)).output).toMatch(/luck.*lucky_guess 0\.25 → 0\.75/s)
    const refused = await run('--model', 'embedded', '--lucky-guess', '0.5')
    expect(refused).toMatchObject({ code: 2, output: expect.stringMatching(/lucky_guess[\s\S]*do not sample with it/) })
    expect(await run('--lucky-guess', '2')).toMatchObject({
      output: expect.stringContaining('expected a number of at least 0 and at most 1'),
    })

    const shown = printed(`
      import { optionTables, requestTable } from './docs/option-tables.ts'
      import { samplingTable } from './docs/sampling-table.ts'
      import { OpenRun } from './packages/rolecall/src/server/viewer/open-run.ts'
      import { messagesRequest } from './packages/rolecall/src/server/messages/messages-request.ts'
      import { headerFacts } from './packages/viewer/src/runs/run/header-facts.ts'
      const run = new OpenRun(${JSON.stringify(recorded)}).site(0)
      const site = { runs: [run], configs: [{ models: [{ name: 'served', config: { lucky_guess: 0.5 } }] }] }
      const docs = [optionTables(), samplingTable('en'), samplingTable('zh'), requestTable(messagesRequest)]
      console.log(JSON.stringify({ facts: headerFacts({ site, number: 0, state: { pairs: [] } } as never), docs }))`)
    const { facts, docs } = shown as { facts: string[][]; docs: string[] }
    expect(facts.slice(0, 2).map(([, text]) => text)).toEqual(['lucky_guess 0.5', 'luckyGuess 0.25'])
    for (const table of docs) expect(table).toContain('`lucky_guess`')
  } finally {
    await server.close()
  }
}, 240_000)

test('CONTRIBUTING names the file of each line', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  for (const { into } of [...Object.values(additions), setting]) expect(page).toContain(`\`${into}\``)
})
