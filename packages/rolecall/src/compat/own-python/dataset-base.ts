import { typeError } from '@rolecall/core/internal/python'
import { call } from '../../python/interpreter/call.ts'
import { Instance, UserClass } from '../../python/interpreter/classes.ts'
import { defineModule, native } from '../../python/interpreter/modules/define-module.ts'
import type { ModuleValue } from '../../python/interpreter/values.ts'

/** Arguments of a dataset object that Rolecall itself applies to the rows. */
const applied = ['abbr', 'n', 'k', 'reader_cfg']

/** `BaseDataset`, whose `__init__` only loads: splits, ranges and repetitions are those of the config, which apply to any rows. */
export function datasetBase(): ModuleValue {
  const start = native('__init__(self, reader_cfg=None, **kwargs)', (session, [self], kwargs, scope) => {
    if (!(self instanceof Instance)) throw typeError('a dataset object is needed')
    const settings = new Map([...(kwargs ?? [])].filter(([name]) => !applied.includes(name)))
    const load = self.attribute(session, 'load')
    if (load === undefined) throw typeError(`${self.typeName} has no load`)
    self.fields.set('dataset', call(session, load, [], settings, scope))
    return null
  })
  const load = native('load(**kwargs)', () => null)
  return defineModule('opencompass.datasets.base', {
    BaseDataset: new UserClass(
      'BaseDataset',
      [],
      new Map([
        ['__init__', start],
        ['load', load],
      ]),
    ),
  })
}
