import { spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { main, rolecall } from '../../../../proof/testing/rolecall.ts'
import { programTimeout } from '../../../../proof/testing/run-program.ts'
import { type ScriptedServer, scriptedServer } from '../../../../proof/testing/scripted-server.ts'
import { widthOf } from './screen/fit-text.ts'

const question = '长江流入哪个海，全长大约多少公里，流经哪些省份和直辖市？'
const rows = Array.from({ length: 12 }, (_, index) => ({ 问题: `${question}<|im_end|> ${index} + ${index}`, 答案: String(2 * index) }))

const config = (models: readonly object[]) => ({
  models,
  datasets: [
    {
      abbr: '中文问答',
      path: '中文问答.jsonl',
      reader_cfg: { input_columns: ['问题'], output_column: '答案' },
      infer_cfg: {
        prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{问题}' }] } },
        inferencer: { type: 'GenInferencer' },
      },
      eval_cfg: { evaluator: { type: 'AccEvaluator' } },
    },
  ],
})

const chatml = `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`

let server: ScriptedServer
let folder = ''

beforeAll(async () => {
  server = await scriptedServer(({ body }) => {
    const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] }
    const [, one = '0', other = '0'] = /(\d+) \+ (\d+)$/.exec(messages.at(-1)?.content ?? '') ?? []
    const content = String(Number(one) + Number(other) + (model === '书生·浦语' ? Number(one) % 2 : 0))
    return { json: { model, choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] } }
  })
  const served = (name: string) => ({ abbr: name, type: 'openai', path: name, base_url: server.url, max_out_len: 16 })
  const tiny = (name: string, format: string) => ({ abbr: name, type: 'embedded', format, max_out_len: 8 })
  folder = folderWith({
    '中文问答.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'two.json': JSON.stringify(config([served('通义千问'), served('书生·浦语')])),
    'tiny.json': JSON.stringify(config([tiny('一个名字很长的小模型', 'internlm2'), tiny('moss', 'moss')])),
    'empty.json': '',
    'own.jinja': chatml,
    'other.jinja': `<s>${chatml}`,
  })
  const { code, stderr } = await rolecall(['run', 'two.json', '-w', 'outputs'], folder)
  expect(code, stderr).toBe(0)
})
afterAll(() => server.close())

/** What a screen may be long at 80 columns and more; narrower ones are longer. */
const screens: readonly (readonly [words: string, mostLines: number])[] = [
  ['run two.json --dry-run', 15],
  ['run two.json -w outputs -r', 15],
  ['run tiny.json -w tiny --no-cache', 15],
  ['score outputs --evaluator AccEvaluator', 15],
  // Twenty lines before the rows that differ.
  ['compare outputs', 25],
  ['why outputs', 25],
  ['render', 25],
  ['render tiny.json', 25],
  ['render tiny.json --models 一个名字很长的小模型', 25],
  ['render own.jinja', 30],
  ['tokens tiny.json --models 一个名字很长的小模型', 25],
  ['diff chatml internlm2', 20],
  ['diff own.jinja other.jinja', 20],
  ['lint own.jinja', 20],
  ['lint two.json', 10],
  ['lint --list', 60],
  ['convert vicuna_v1.1 --to jinja --proof', 12],
  ['convert internlm2 --to mlc', 15],
  ['list models two.json', 10],
  ['list formats', 20],
  ['list formats --kind old', 60],
  ['list presets', 20],
  ['list presets mmlu', 12],
  ['list evaluators', 45],
  ['hub list', 5],
  ['init --data 中文问答.jsonl --yes --out init.yaml', 25],
  ['export training tiny.json --models 一个名字很长的小模型 --out train.jsonl', 15],
  ['export results outputs --export-format mlflow', 15],
  ['view --annotations outputs', 10],
  ['import two.json', 10],
  ['doctor --offline', 25],
  // Mistakes.
  ['run empty.json', 6],
  ['why nowhere elsewhere', 8],
  ['run two.json --base-url 127.0.0.1:8000/v1', 6],
  ['run two.json --max-token 5', 6],
  ['render two.json more.json', 8],
  ['list fromats', 6],
  ['import --report eval.py', 8],
  ['hub nothing', 6],
  ['runs ctl outputs pause', 8],
  ['verify nonsense', 6],
]

test('no command writes a line that is wider than the terminal, or more lines than its screen has', { timeout: 600_000 }, async () => {
  const wrong: string[] = []
  for (const [words, mostLines] of screens)
    for (const columns of [60, 80, 100, 160]) {
      const made = `${columns}`
      const args = words.split(' ').map((word) => (/^(init\.yaml|train\.jsonl)$/.test(word) ? made + word : word))
      const { stdout, stderr } = await rolecall(args, folder, { COLUMNS: String(columns), ROLECALL_CACHE: 'off', NO_COLOR: '1' })
      const lines = `${stdout}${stderr}`.trimEnd().split('\n')
      for (const line of lines)
        if (widthOf(stripVTControlCharacters(line)) > columns) wrong.push(`${words}, ${columns} columns: ${widthOf(line)} wide: ${line}`)
      if (columns >= 80 && lines.length > mostLines) wrong.push(`${words}, ${columns} columns: ${lines.length} lines, at most ${mostLines}`)
      if (lines.length < 2 && lines[0] === '') wrong.push(`${words}, ${columns} columns: nothing is printed`)
    }
  expect(wrong).toEqual([])
})

test('colours change nothing but colours', () => {
  for (const words of ['render tiny.json --rows 0', 'lint own.jinja', 'diff own.jinja other.jinja', 'list presets']) {
    const run = (env: Record<string, string>) =>
      spawnSync(process.execPath, [main, ...words.split(' ')], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', COLUMNS: '80', ...env },
        encoding: 'utf8',
        timeout: programTimeout,
      }).stdout
    const coloured = run({ FORCE_COLOR: '1' })
    expect(coloured).toContain('\u001b[')
    expect(stripVTControlCharacters(coloured)).toBe(run({ NO_COLOR: '1' }))
  }
})

test('a pipe or a log gets whole sentences', async () => {
  const { stderr } = await rolecall(['convert', 'internlm2', '--to', 'mlc'], folder)
  expect(stderr.split('\n').some((line) => widthOf(line) > 100)).toBe(true)
})
