import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolecall } from '../rolecall.ts'
import type { Attack } from './attack.ts'

const secret = 'PRIVATE-WORDS'

/** Expressions of Python that read, write, run or contact what the code of a config may not. SECRET is a private folder, OUT a file that is not there. */
export const ownClassAttacks: readonly string[] = [
  `open('SECRET/s.jsonl').read()`,
  `open('../secret/s.jsonl').read()`,
  `open('data/../../secret/s.jsonl').read()`,
  `open('linked.jsonl').read()`,
  `open('linked/s.jsonl').read()`,
  `open('/proc/self/root' + 'SECRET/s.jsonl').read()`,
  `open('/proc/self/cwd/../secret/s.jsonl').read()`,
  `open('/proc/self/environ').read()`,
  `open('file://SECRET/s.jsonl').read()`,
  `open('SECRET/s.jsonl\\0.txt').read()`,
  `open(0).read()`,
  `os.environ['PRIVATE_KEY']`,
  `os.environ.get('PRIVATE_KEY')`,
  `os.getenv('PRIVATE_KEY')`,
  `dict(os.environ)`,
  `os.listdir('SECRET')`,
  `list(os.walk('SECRET'))`,
  `'${secret}' if os.path.exists('SECRET/s.jsonl') else ''`,
  `'${secret}' if os.path.isfile('linked/s.jsonl') else ''`,
  `'${secret}' * len(glob.glob('SECRET/*'))`,
  `pathlib.Path('SECRET/s.jsonl').read_text()`,
  `pathlib.Path('linked').joinpath('s.jsonl').read_text()`,
  `list(csv.reader(open('linked/s.jsonl')))`,
  `json.load(open('linked/s.jsonl'))`,
  `list(datasets.load_dataset('json', data_files='SECRET/s.jsonl')['train'])`,
  `list(datasets.load_dataset('json', data_files={'train': '../secret/s.jsonl'})['train'])`,
  `list(datasets.load_dataset('json', data_files='linked.jsonl', split='train'))`,
  `list(datasets.load_dataset('json', data_files='SECRET/*.jsonl', split='train'))`,
  `list(datasets.load_dataset('SECRET', split='train'))`,
  `list(datasets.load_dataset('../secret', split='train'))`,
  `datasets.load_from_disk('SECRET')`,
  `pandas.read_json('SECRET/s.jsonl', lines=True)`,
  `os.system('cp SECRET/s.jsonl OUT')`,
  `os.popen('cat SECRET/s.jsonl').read()`,
  `subprocess.check_output(['cat', 'SECRET/s.jsonl'])`,
  `open('OUT', 'w').write('x')`,
  `open('OUT', 'a').write('x')`,
  `os.makedirs('OUT')`,
  `os.symlink('SECRET', 'OUT')`,
  `os.rename('data', 'OUT')`,
  `shutil.copy('data/ok.jsonl', 'OUT')`,
  `pathlib.Path('OUT').write_text('x')`,
  `exec("import os; os.system('touch OUT')")`,
  `eval("open('SECRET/s.jsonl').read()")`,
  `compile("1", "x", "exec")`,
  `''.__class__.__mro__[1].__subclasses__()`,
  `(lambda: 0).constructor.constructor('return process')().env`,
  `getattr(os, 'sys' + 'tem')('touch OUT')`,
  `importlib.import_module('linked.code').words`,
  `sys.modules['os'].environ['PRIVATE_KEY']`,
]

/** Code of a config reads nothing but the config's folder and its data, and does nothing else. Each attack has a file of its own: modules are kept. */
export class OwnClassTarget {
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), 'rolecall-own-')))
  readonly #project = join(this.#home, 'project')
  readonly #out = join(this.#home, 'out')
  #tried = 0

  constructor() {
    for (const folder of ['secret', 'project/data']) mkdirSync(join(this.#home, folder), { recursive: true })
    writeFileSync(join(this.#home, 'secret', 's.jsonl'), `{"q":"${secret}","a":"1"}\n`)
    writeFileSync(join(this.#home, 'secret', 'code.py'), `words = "${secret}"\n`)
    writeFileSync(join(this.#project, 'data', 'ok.jsonl'), '{"q":"public words","a":"1"}\n')
    symlinkSync(join(this.#home, 'secret'), join(this.#project, 'linked'))
    symlinkSync(join(this.#home, 'secret', 's.jsonl'), join(this.#project, 'linked.jsonl'))
  }

  /** Renders the row that a dataset class makes of the expression. Returns the secret or what was done, if anything was. */
  async attack(expression: string): Promise<{ fell?: string; stdout: string; stderr: string; code: number }> {
    const name = `mine${this.#tried++}`
    const python = expression.replaceAll('SECRET', join(this.#home, 'secret')).replaceAll('OUT', this.#out)
    const used = ['os', 'glob', 'pathlib', 'csv', 'json', 'datasets', 'pandas', 'subprocess', 'shutil', 'importlib', 'sys']
    const imports = used.filter((module) => new RegExp(`\\b${module}\\.`).test(python)).map((module) => `import ${module}`)
    const code = `${imports.join('\n')}
from datasets import Dataset
from opencompass.datasets.base import BaseDataset
class Mine(BaseDataset):
    @staticmethod
    def load(path):
        try:
            text = str(${python})
        except Exception as error:
            text = 'refused'
        return Dataset.from_list([{'q': text, 'a': '1'}])
`
    const reader = `reader_cfg=dict(input_columns=['q'], output_column='a', train_split='train', test_split='train')`
    const infer = `infer_cfg=dict(prompt_template=dict(type='PromptTemplate', template='{q}'), retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer'))`
    const config = `from ${name} import Mine
datasets = [dict(abbr='d', type=Mine, path='data', ${reader}, ${infer})]
models = [dict(abbr='m', type='embedded', path='x')]
`
    writeFileSync(join(this.#project, `${name}.py`), code)
    writeFileSync(join(this.#project, `${name}_config.py`), config)
    const args = ['render', `${name}_config.py`, '--format', 'chatml']
    const result = await rolecall(args, this.#project, { PRIVATE_KEY: secret, HF_HUB_OFFLINE: '1' })
    const shown = (result.stdout + result.stderr).replaceAll(python, '')
    if (shown.includes(secret)) return { ...result, fell: 'it read private words' }
    return existsSync(this.#out) ? { ...result, fell: 'it wrote' } : result
  }

  close(): void {
    rmSync(this.#home, { recursive: true, force: true })
  }
}

/** Datasets whose classes are hostile Python, without `--with-python`. */
export const ownClasses: Attack = {
  name: 'own classes',
  holds: "the code of a config's classes reads no file elsewhere, no key, and writes, runs and contacts nothing",
  async run({ chance, goesOn, tried, gotThrough }) {
    const target = new OwnClassTarget()
    try {
      const { stdout } = await target.attack("open('data/ok.jsonl').read()")
      if (!stdout.includes('public words')) throw new Error('the code of the classes is not run')
      while (goesOn()) {
        const expression = chance.pick(ownClassAttacks)
        const { fell, stderr } = await target.attack(expression)
        tried()
        if (fell !== undefined) gotThrough(`${fell}: ${expression}`)
        if (/ {4}at /.test(stderr)) gotThrough(`${expression} ended the command: ${stderr.slice(0, 500)}`)
      }
    } finally {
      target.close()
    }
  },
}
