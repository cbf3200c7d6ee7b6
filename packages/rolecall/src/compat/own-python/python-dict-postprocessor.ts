import { dictFromEntries, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { defineJudgePostprocessor, type Judged, judgePostprocessorsIn } from '../../evaluation/score/postprocess/judge-postprocessor.ts'
import type { PythonObject } from '../../python/host/python-host.ts'
import { hostOf, type OwnPython, ownPythonSchema, settingsOf } from './own-object.ts'
import { figuresOf, ofOneRow, sooner } from './python-evaluator.ts'

/** Loaded once for each entry of a config. */
const loaded = new WeakMap<OwnPython, PythonObject<'dict_postprocessor'>>()

/** The result of a `dict_postprocessor` for these replies; a row's key is its place among them. */
function resultFor(judged: readonly Judged[], own: OwnPython): PyValue {
  const object = loaded.get(own) ?? sooner(hostOf(own).load({ kind: 'dict_postprocessor', name: own.object, from: own.from }), own)
  loaded.set(own, object)
  const output = judged.map(({ said, gold = null, prompt = null }, place): [string, PyValue] => [
    String(place),
    { origin_prompt: prompt, prediction: said, gold },
  ])
  const rows = judged.map(({ row }) => row as PyDict)
  return sooner(object.call({ output: dictFromEntries(output), rows, settings: settingsOf(own) }), own)
}

const definition = defineJudgePostprocessor<OwnPython, Judged>({
  names: ['PythonDictPostprocessor'],
  does: "A user's own dict_postprocessor in Python, with its own metrics over all replies of a judge.",
  example: {
    options: { object: 'score.py:share_of_a', folder: '.' },
    judged: [{ said: 'A' }, { said: 'B' }],
    figures: { score: 50 },
  },
  options: ownPythonSchema,
  metric: 'score',
  unit: 'value',
  kind: 'graded',
  read: (judged) => judged,
  score: (judged, own) => ofOneRow(() => resultFor([judged], own), own).value ?? 0,
  figures: (judged, own) => ({ ...figuresOf(resultFor(judged, own), own) }),
})

export const pythonDictPostprocessors = judgePostprocessorsIn({ definition })
