import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../testing/folder-with.ts'
import { importPython, rootOf } from './import-python.ts'
import { loadConfig } from './load-config.ts'

const model = "models = [dict(abbr='m', format='chatml')]"

describe('the root', () => {
  test('is the folder above configs, so that configs can import each other', () => {
    const folder = folderWith({ 'configs/models/m.py': model, 'configs/eval.py': 'from .models.m import models' })
    expect(rootOf(join(folder, 'configs/models/m.py'))).toBe(folder)
    expect(importPython(join(folder, 'configs/eval.py')).config.models).toEqual([{ abbr: 'm', format: 'chatml' }])
  })

  test('is the folder above the package, where absolute imports resolve', () => {
    const eval_ = 'with read_base():\n    from opencompass.configs.models.m import models'
    const folder = folderWith({
      'repo/opencompass/configs/models/m.py': model,
      'repo/opencompass/configs/eval.py': eval_,
      'repo/examples/eval.py': eval_,
    })
    for (const file of ['repo/opencompass/configs/eval.py', 'repo/examples/eval.py'])
      expect(importPython(join(folder, file)).config.models).toHaveLength(1)
  })

  test('is the same for AISBench', () => {
    const eval_ = 'with read_base():\n    from ais_bench.benchmark.configs.models.m import models as found\nmodels = found'
    const folder = folderWith({ 'ais_bench/benchmark/configs/models/m.py': model, 'ais_bench/benchmark/configs/eval.py': eval_ })
    expect(importPython(join(folder, 'ais_bench/benchmark/configs/eval.py')).config.models).toHaveLength(1)
  })

  test('cannot be left by dots, paths or links', () => {
    const folder = folderWith({
      'secret.py': 'x = 1',
      'secret.txt': 'x',
      'root/a.py': 'from ..secret import x',
      'root/b.py': "x = open('../secret.txt').read()",
    })
    symlinkSync(join(folder, 'secret.py'), join(folder, 'root/link.py'))
    writeFileSync(join(folder, 'root/c.py'), 'from .link import x')
    const root = join(folder, 'root')
    expect(() => importPython(join(root, 'a.py'), { root })).toThrow('is outside the folder that may be read')
    expect(() => importPython(join(root, 'b.py'), { root })).toThrow('is outside the folder that may be read')
    expect(() => importPython(join(root, 'c.py'), { root })).toThrow('outside the root')
    expect(() => importPython(join(folder, 'secret.py'), { root })).toThrow('is outside the root')
  })
})

describe('loadConfig', () => {
  test('loads a Python config like any other; notes become warnings, unused names are listed', async () => {
    const folder = folderWith({
      'eval.py': `${model}\nwork_dir = 'out'\ndatasets = [dict(abbr='d', rows=[dict(q=1)], max_seq_length=9, infer_cfg=dict(prompt_template=dict("template": '{q}')))]`,
    })
    const { config } = await loadConfig(join(folder, 'eval.py'))
    expect(config.datasets[0]).toMatchObject({ abbr: 'd', infer_cfg: { prompt_template: { template: '{q}' } } })
    expect(config.warnings.map(({ code }) => code)).toContain('slip')
    expect(config.unused.map(({ where }) => where.split(' › ')[1])).toEqual(['work_dir', 'datasets[0].max_seq_length'])
  })

  test('reports errors with their line', async () => {
    const folder = folderWith({ 'eval.py': 'models = [\n  dict(abbr="m"' })
    await expect(loadConfig(join(folder, 'eval.py'))).rejects.toThrow('eval.py:2:7: the "(" is never closed. Add the ")".')
  })
})
