import type { Value } from '@rolecall/core/internal/python'
import { typeError } from '@rolecall/core/internal/python'
import { call } from '../../../python/interpreter/call.ts'
import { Instance, UserClass } from '../../../python/interpreter/classes.ts'
import { itemsOf } from '../../../python/interpreter/containers.ts'
import { defineModule, native } from '../../../python/interpreter/modules/define-module.ts'
import { re } from '../../../python/interpreter/modules/re-module.ts'
import { filterNamed } from '../filter/reply-filters.ts'

/** The classes of lm-evaluation-harness that filters of tasks inherit from. */
const filter = new UserClass('Filter', [], new Map([['__init__', native('__init__(self, **kwargs)', () => null)]]))

const regexFilter = new UserClass(
  'RegexFilter',
  [filter],
  new Map([
    [
      '__init__',
      native('__init__(self, regex_pattern=None, group_select=0, fallback=None)', (session, [self, pattern, group, fallback], _, scope) => {
        const { fields } = instance(self)
        const given = pattern ?? '#### (\\-?[0-9\\.\\,]+)'
        fields.set('regex_pattern', given)
        fields.set('regex', call(session, re.attributes.get('compile')!, [given], undefined, scope))
        fields.set('group_select', group ?? 0)
        fields.set('fallback', fallback ?? '[invalid]')
        return null
      }),
    ],
    [
      'apply',
      native('apply(self, resps, docs)', (session, [self, replies]) => {
        const { fields } = instance(self)
        const options = ['regex_pattern', 'group_select', 'fallback'].map((key): [string, Value] => [key, fields.get(key) ?? null])
        const find = filterNamed('regex', new Map(options), 'RegexFilter')
        return itemsOf(session, replies!).map((one) => find({ replies: [...itemsOf(session, one)], doc: {} }))
      }),
    ],
  ]),
)

function instance(value: Value | undefined): Instance {
  if (value instanceof Instance) return value
  throw typeError('self is not an object of this class')
}

export const filterModule = defineModule('lm_eval.api.filter', { Filter: filter })

export const filterClasses = defineModule('lm_eval.filters.extraction', { Filter: filter, RegexFilter: regexFilter })
