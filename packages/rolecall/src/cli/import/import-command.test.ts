import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtLibrary } from '../../../../../proof/testing/built-library.ts'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { triesAll } from '../../../../../proof/testing/sampling.ts'

const command = (folder: string, ...words: string[]) => rolecall(['import', ...words], folder)
const run = async (folder: string, ...words: string[]) => {
  const { stdout, stderr } = await command(folder, ...words)
  return stdout + stderr
}
const infer = "infer_cfg=dict(prompt_template=dict(template='{q}'))"
const configs = {
  'configs/models/m.py': "models = [dict(abbr='m', format='chatml')]",
  'configs/datasets/a.py': `a_datasets = [dict(abbr='d', rows=[dict(q=1)], ${infer})]`,
  'configs/datasets/b.py': `b_datasets = [dict(abbr='d', rows=[dict(q=2)], ${infer})]`,
  'configs/datasets/c.py': 'from .a import a_datasets',
}

describe('rolecall import', { timeout: 60_000 }, () => {
  // A TypeScript config first compiles the library, which takes seconds.
  for (const kind of triesAll ? ['ts', 'json', 'yaml'] : ['json', 'yaml']) {
    test(`writes a .${kind} that is a config`, async () => {
      const folder = folderWith(configs)
      expect(await run(folder, 'configs/models/m.py', '-o', `out.${kind}`)).toContain(`wrote out.${kind}`)
      const { loadConfig } = await builtLibrary()
      const { config } = await loadConfig(join(folder, `out.${kind}`))
      expect(config.models).toEqual([{ abbr: 'm', format: 'chatml' }])
    })
  }

  test("merges a folder into one config: shared entries occur once, entries with the same name get their file's name", async () => {
    const folder = folderWith(configs)
    expect(await run(folder, 'configs', '-o', 'all.json')).toContain('4 of 4 files imported: 1 models, 3 datasets')
    const { datasets } = JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8')) as { datasets: { abbr: string }[] }
    expect(datasets.map(({ abbr }) => abbr)).toEqual(['d', 'd-b'])
  })

  test('converts a folder into a folder', async () => {
    const folder = folderWith(configs)
    expect(await run(folder, 'configs', '-o', 'mine', '--kind', 'yaml')).toContain('wrote 4 files')
    expect(existsSync(join(folder, 'mine/datasets/b.yaml'))).toBe(true)
  })

  test('continues after an unsupported file, and fails at the end', async () => {
    const folder = folderWith({ ...configs, 'configs/bad.py': 'x = (' })
    const { code, stdout: printed } = await command(folder, 'configs')
    expect(printed).toContain('error configs/bad.py:1:5\n  the "(" is never closed\n  → add the ")"')
    expect(printed).toContain('4 of 5 files imported')
    expect(code).toBe(2)
  })

  test('--lenient reports what it skips, in every file of a folder', async () => {
    const bad = "models = [dict(abbr='a', type='embedded'), dict(abbr='b', path=unknown_function())]"
    const missing = 'from mmengine.config import read_base\nwith read_base():\n    from .gone import x_datasets\n'
    const folder = folderWith({ ...configs, 'configs/models/bad.py': bad, 'configs/datasets/missing.py': missing })
    const { code, stdout } = await command(folder, 'configs', '--lenient')
    expect(code).toBe(0)
    expect(stdout).toContain('skipped configs/models/bad.py:1:64: models[1] "b" was left out')
    expect(stdout).toContain('skipped configs/datasets/missing.py:3:5: the statement was left out: there is no configs/datasets/gone.py')
    expect((await command(folder, 'configs')).stdout).toContain('there is no configs/datasets/gone.py')
  })

  test('--json prints the report as JSON', async () => {
    const { files } = JSON.parse(await run(folderWith(configs), 'configs/models/m.py', '--json')) as {
      files: { models: { abbr: string }[] }[]
    }
    expect(files[0]!.models.map(({ abbr }) => abbr)).toEqual(['m'])
  })

  test('--report writes which dataset configs can run, most used first, with the causes of the others', async () => {
    const more = {
      'configs/datasets/known.py': `known_datasets = [dict(abbr='k', type='GSM8KDataset', path='opencompass/gsm8k', reader_cfg=dict(input_columns=['question'], output_column='answer'), ${infer}, eval_cfg=dict(evaluator=dict(type='AccEvaluator'), pred_postprocessor=dict(type='first_option_postprocess', options='AB')))]`,
      'configs/datasets/nested.py': `n_datasets = [dict(abbr='n', type='GSM9KDataset', ${infer}, eval_cfg=dict(evaluator=dict(type='CascadeEvaluator', rule_evaluator=dict(type='NoEvaluator', pred_postprocessor=dict(type='no-postprocessor')), llm_evaluator=dict(type='GenericLLMEvaluator'))))]`,
      'configs/datasets/bad.py': 'x = (',
    }
    const folder = folderWith({ ...configs, ...more })
    expect((await command(folder, 'configs', '--report', 'out/table.json')).stdout).toContain('wrote out/table.json')
    const { summary, configs: lines } = JSON.parse(readFileSync(join(folder, 'out/table.json'), 'utf8')) as {
      summary: object
      configs: { config: string; usedBy: number; word: string; causes: string[] }[]
    }
    expect(summary).toEqual({
      configs: 6,
      ready: 3,
      notChecked: 1,
      cannotRun: 2,
      loaders: { named: 2, known: 1 },
      evaluators: { named: 4, known: 3 },
      postprocessors: { named: 2, known: 1 },
    })
    expect(lines[0]).toMatchObject({ config: 'datasets/a.py', usedBy: 1, word: 'ready', causes: [] })
    const lineOf = (config: string) => lines.find((line) => line.config === config)
    expect(lineOf('datasets/known.py')).toMatchObject({
      word: 'not checked',
      loader: ['GSM8KDataset'],
      evaluator: ['AccEvaluator'],
      postprocessor: ['first_option_postprocess'],
    })
    expect(lineOf('datasets/nested.py')).toMatchObject({
      word: 'cannot run',
      causes: [
        expect.stringContaining('"prompt_template" is missing'),
        'loader GSM9KDataset',
        'rule_evaluator NoEvaluator',
        'rule_evaluator.pred_postprocessor no-postprocessor',
      ],
    })
    expect(lineOf('datasets/bad.py')).toMatchObject({
      word: 'cannot run',
      causes: ['configs/datasets/bad.py:1:5: the "(" is never closed'],
    })
    await command(folder, 'configs', '--report', 'table.md')
    expect(readFileSync(join(folder, 'table.md'), 'utf8')).toContain(
      '| `datasets/known.py` | not checked | `GSM8KDataset` | `AccEvaluator` | `first_option_postprocess` | GSM8KDataset',
    )
    await command(folder, 'configs', '--report', 'table.csv')
    expect(readFileSync(join(folder, 'table.csv'), 'utf8')).toContain(
      'datasets/known.py,1,0,not checked,GSM8KDataset,AccEvaluator,first_option_postprocess,',
    )
    expect(await run(folder, 'configs', '--report', 'table.md')).toContain('the file already exists')
    expect(await run(folder, 'configs', '--report', 'table.txt')).toContain('unknown report type ".txt"')
  })

  test('does not overwrite a file without --force', async () => {
    const folder = folderWith({ ...configs, 'out.ts': 'mine' })
    expect(await run(folder, 'configs/models/m.py', '-o', 'out.ts')).toBe(
      'error out.ts\n  the file already exists\n  → choose another name, or overwrite it with --force\n',
    )
    expect(await run(folder, 'configs/models/m.py', '-o', 'out.ts', '--force')).toContain('wrote out.ts')
  })

  test.each([
    ['notes.txt', 'hello world', 'not recognised: it is no config of a known kind'],
    ['README.md', '# Title', 'not recognised: it is no config of a known kind'],
    ['data.json', '{"a": 1}', 'not recognised: it is no config of a known kind'],
    ['notes.yaml', 'title: x', 'not recognised: it is no config of a known kind'],
    ['tool.py', 'print = 3', 'not recognised: the file defines no models and no datasets'],
    ['rolecall.config.yaml', 'models: []', 'this is already a Rolecall config'],
    ['chat.json', '[{"role": "user", "content": "Hi"}]', 'this is a file that Rolecall reads as it is'],
  ])('says that %s is no config', async (name, text, problem) => {
    const { code, stderr, stdout } = await command(folderWith({ [name]: text }), name)
    expect({ code, stderr, stdout }).toEqual({ code: 2, stderr: expect.stringContaining(problem), stdout: '' })
  })

  test('reports wrong paths', async () => {
    const folder = folderWith({ 'empty/x.txt': '', 'm.py': 'models = []' })
    expect(await run(folder, 'gone.py')).toContain('no such file or folder')
    expect(await run(folder, 'empty')).toContain('the folder has no .py files')
    expect(await run(folder, 'm.py', '-o', 'x.toml')).toContain('.toml is not a config file extension')
  })
})

test('a value of a decorated class is an error, not a value that the decorator may have changed', async () => {
  const config = (decorator: string) =>
    `${decorator}\nclass C:\n    path = "x.jsonl"\n\ndatasets = [dict(abbr="my", type="JsonlDataset", path=C.path)]\n`
  const folder = folderWith({ 'a.py': config('@dataclass'), 'b.py': config('@LOAD_DATASET.register_module()') })
  const { code, stderr } = await command(folder, 'a.py')
  expect([code, stderr]).toEqual([2, expect.stringContaining('the decorator of "C" is not understood')])
  expect((await command(folder, 'b.py')).stdout).toContain("path: 'x.jsonl'")
})
