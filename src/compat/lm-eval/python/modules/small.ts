import { PromptError } from '../../../../base/errors/prompt-error.ts'
import { newDict, setItem } from '../../../../base/python/interpreter/dicts.ts'
import { itemsOf } from '../../../../base/python/interpreter/items.ts'
import { pairsOf } from '../../../../base/python/interpreter/methods.ts'
import { defineModule, native, textOf } from '../../../../base/python/interpreter/modules/define-module.ts'
import type { Session } from '../../../../base/python/interpreter/session.ts'
import { standardModule } from '../../../../base/python/interpreter/standard-modules.ts'
import { ModuleValue, NativeObject } from '../../../../base/python/interpreter/values.ts'
import { evaluateLiteral } from '../../../../base/python/literal.ts'
import { PythonError } from '../../../../base/python/python-error.ts'
import { isDictValue, type Value } from '../../../../base/python/values/value.ts'
import { DatasetValue, datasetFromColumns, datasetFromList } from '../dataset-value.ts'
import { lmEvalUtils } from './metrics.ts'

/** A logger, a progress bar: whatever is done with it changes nothing. */
class Silent extends NativeObject {
  readonly typeName = 'Logger'

  attribute(_: Session, name: string): Value {
    return native(name, () => this)
  }

  override call(): Value {
    return this
  }
}

const silent = new Silent()

export const logging = defineModule('logging', {
  getLogger: native('getLogger', () => silent),
  ...Object.fromEntries(['debug', 'info', 'warning', 'error', 'critical', 'basicConfig'].map((name) => [name, native(name, () => null)])),
})

export const warnings = defineModule('warnings', { warn: native('warn', () => null), filterwarnings: native('filterwarnings', () => null) })

/** `tqdm(items)` is the items. */
export const tqdm = defineModule('tqdm', { tqdm: native('tqdm', (_, [items]) => items ?? null) })

export const lmEval = defineModule('lm_eval.utils', { ...lmEvalUtils, eval_logger: silent })

export const ast = defineModule('ast', {
  literal_eval: native('literal_eval', (session, [text]) => {
    const literal = textOf(text)
    session.step(literal.length)
    try {
      return evaluateLiteral(literal)
    } catch (error) {
      throw error instanceof PromptError ? new PythonError('SyntaxError', error.problem) : error
    }
  }),
})

export const unicodedata = defineModule('unicodedata', {
  normalize: native('normalize', (session, [form, text]) => session.made(textOf(text).normalize(textOf(form)))),
  category: native('category', (_, [text]) => categoryOf(textOf(text))),
})

const categories = [
  'Lu',
  'Ll',
  'Lt',
  'Lm',
  'Lo',
  'Mn',
  'Mc',
  'Me',
  'Nd',
  'Nl',
  'No',
  'Pc',
  'Pd',
  'Ps',
  'Pe',
  'Pi',
  'Pf',
  'Po',
  'Sm',
  'Sc',
  'Sk',
  'So',
  'Zs',
  'Zl',
  'Zp',
  'Cc',
  'Cf',
  'Cs',
  'Co',
]

function categoryOf(text: string): string {
  return categories.find((name) => new RegExp(`^\\p{${name}}`, 'u').test(text)) ?? 'Cn'
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

export const html = defineModule('html', {
  unescape: native('unescape', (session, [text]) =>
    session.made(
      textOf(text).replace(/&(?:#(\d+)|#[xX]([\da-fA-F]+)|(amp|lt|gt|quot|apos|nbsp));/g, (_, decimal, hex, name) =>
        name === undefined ? String.fromCodePoint(Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10)) : entities[name]!,
      ),
    ),
  ),
})

/** `collections`, with a `Counter` that counts. */
export const collections = new ModuleValue(
  'collections',
  new Map([
    ...standardModule('collections')!.attributes,
    [
      'Counter',
      native('Counter', (session, [items]) => {
        const made = newDict(session)
        session.counters.add(made)
        if (items !== undefined && isDictValue(items))
          for (const [key, count] of pairsOf(session, items)) setItem(session, made, key, count)
        else
          for (const item of items === undefined ? [] : itemsOf(session, items))
            setItem(session, made, item, Number(made.get(item as string) ?? 0) + 1)
        return made as unknown as Value
      }),
    ],
  ]),
)

const datasetClass = defineModule('datasets.Dataset', {
  from_list: native('from_list', (session, [rows]) => datasetFromList(session, itemsOf(session, rows!))),
  from_dict: native('from_dict', (session, [columns]) => datasetFromColumns(session, columns!)),
})

export const datasets = defineModule('datasets', {
  Dataset: datasetClass,
  concatenate_datasets: native('concatenate_datasets', (session, [given]) =>
    datasetFromList(
      session,
      itemsOf(session, given!).flatMap((one) => (one instanceof DatasetValue ? [...one.items(session)] : [])),
    ),
  ),
})
