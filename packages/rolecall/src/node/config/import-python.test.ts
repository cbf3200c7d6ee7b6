import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { importPython } from './import-python.ts'
import { rootOf } from './import-root.ts'
import { loadConfig } from './load-config.ts'
import { loadNamedConfigs } from './named-configs.ts'

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

describe('an installed OpenCompass', () => {
  const packages = 'venv/lib/python3.11/site-packages'
  const installed = () =>
    folderWith({
      [`${packages}/opencompass/configs/models/m.py`]: model,
      [`${packages}/opencompass/configs/datasets/d_gen.py`]:
        "d_datasets = [dict(abbr='d', rows=[dict(q=1)], infer_cfg=dict(prompt_template=dict(template='{q}')))]",
      'mine/eval.py': 'with read_base():\n    from opencompass.configs.models.m import models',
      'mine/gone.py': 'with read_base():\n    from opencompass.configs.models.gone import models',
    })
  afterEach(() => vi.unstubAllEnvs())

  test('has the config files that the root has not, and a note says so', () => {
    const folder = installed()
    vi.stubEnv('VIRTUAL_ENV', join(folder, 'venv'))
    const { config, notes } = importPython(join(folder, 'mine/eval.py'))
    expect(config.models).toEqual([{ abbr: 'm', format: 'chatml' }])
    expect(notes.map(({ text }) => text)).toEqual([
      `opencompass/configs/models/m.py: config files of the installed opencompass in ${join(folder, packages, 'opencompass')}`,
    ])
    expect(() => importPython(join(folder, 'mine/gone.py'))).toThrow(
      `(the installed opencompass in ${join(folder, packages, 'opencompass')} does not have it)`,
    )
  })

  test('that is not in the active environment is an error with the place of search', () => {
    const folder = installed()
    vi.stubEnv('VIRTUAL_ENV', join(folder, 'mine'))
    vi.stubEnv('CONDA_PREFIX', undefined)
    expect(() => importPython(join(folder, 'mine/eval.py'))).toThrow(
      `(there is no opencompass in VIRTUAL_ENV (${join(folder, 'mine')}) or CONDA_PREFIX (not set))`,
    )
  })

  test('has the files that --models and --datasets name, after those of the working folder', async () => {
    const folder = installed()
    vi.stubEnv('VIRTUAL_ENV', join(folder, 'venv'))
    const load = (here: string) => loadNamedConfigs(here, { models: 'm', datasets: 'd_gen' })
    const { config } = await load(join(folder, 'mine'))
    expect(config.datasets.map(({ abbr }) => abbr)).toEqual(['d'])
    expect(config.warnings.filter(({ code }) => code === 'installed-configs')).toHaveLength(2)
    // A checkout that is also installed is found once.
    const checkout = await load(join(folder, packages))
    expect(checkout.config.warnings.map(({ code }) => code)).not.toContain('ambiguous-name')
    expect(checkout.config.warnings.map(({ code }) => code)).not.toContain('installed-configs')
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
