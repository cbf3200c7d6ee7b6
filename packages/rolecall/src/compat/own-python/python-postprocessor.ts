import { definePostprocessor } from '../../evaluation/score/postprocess/postprocessor.ts'
import type { PythonObject } from '../../python/host/python-host.ts'
import { hostOf, type OwnPython, ownPythonSchema, settingsOf } from './own-object.ts'
import { sooner } from './python-evaluator.ts'

/** Loaded once for each entry of a config. */
const loaded = new WeakMap<OwnPython, PythonObject<'postprocessor'>>()

export const pythonPostprocessors = [
  definePostprocessor<OwnPython>({
    names: ['PythonPostprocessor'],
    does: "A user's own postprocessor in Python.",
    example: { options: { object: 'score.py:capitals', folder: '.' }, answer: 'a', becomes: 'A' },
    options: ownPythonSchema,
    process(text, own) {
      const object = loaded.get(own) ?? sooner(hostOf(own).load({ kind: 'postprocessor', name: own.object, from: own.from }), own)
      loaded.set(own, object)
      return sooner(object.call({ text, settings: settingsOf(own) }), own)
    },
  }),
]
