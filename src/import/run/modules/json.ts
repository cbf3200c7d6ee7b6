import { typeError } from '../../../python/python-error.ts'
import { toJson } from '../to-json-value.ts'
import { FileValue, Unknown } from '../values.ts'
import { defineModule, native, textOf, unknownOr } from './define-module.ts'

export const json = defineModule('json', {
  dumps: native('dumps', (session, args, kwargs) => unknownOr(args, () => session.made(toJson.write(session, args[0]!, kwargs)))),
  loads: native('loads', (session, args) => unknownOr(args, () => toJson.read(session, textOf(args[0])))),
  load: native('load', (session, [file]) => {
    if (file instanceof Unknown) return file
    if (!(file instanceof FileValue)) throw typeError('json.load needs an open file')
    return toJson.read(session, file.text)
  }),
})
