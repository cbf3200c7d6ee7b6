import { dictGet, isDict } from '../../../packages/core/src/base/python/index.ts'
import { compileChat } from '../../../packages/core/src/internal/compile.ts'
import { splitTranscript } from '../../../packages/core/src/prompt/format/internlm2/split-transcript.ts'
import { internlm2 } from '../../../packages/core/src/prompt/format/presets/internlm2.ts'
import { agrees, outcomeOf, show } from '../outcome.ts'
import { type Suite, type Trial, trial } from '../suite.ts'
import { failed, unless } from '../verdict.ts'
import { examineExtractCode } from './extract-code.ts'
import { lenientJson } from './lenient-json.ts'

const groups = ['internlm2-token-id', 'internlm2-transcript', 'internlm2-lenient-json', 'internlm2-extract-code']

/** Document 004: token ids, the examples as transcripts, and how the references handle almost-JSON and code in text. */
export const internlm2Misc: Suite = {
  name: 'chat',
  recognises: (vector) => groups.includes(String(dictGet(vector, 'group'))),
  examine(vector) {
    if (!isDict(vector)) return failed('no vector')
    const expected = dictGet(vector, 'expected')
    switch (dictGet(vector, 'group')) {
      case 'internlm2-token-id':
        return compare(() => idOf(String(dictGet(vector, 'token'))), expected)
      case 'internlm2-transcript':
        return compare(() => transcriptOf(String(dictGet(vector, 'input'))), expected)
      case 'internlm2-extract-code':
        return examineExtractCode(vector)
      case 'internlm2-lenient-json':
        return compare(() => lenientJson(vector).ours, lenientJson(vector).expected)
      default:
        return { kind: 'unsupported', why: String(dictGet(vector, 'group')) }
    }
  },
}

function idOf(token: string): number | undefined {
  return compileChat('internlm2').format.tokens?.find((needed) => needed.token === token)?.id
}

function transcriptOf(text: string) {
  const { turns } = splitTranscript(text, internlm2)
  return { turns, unterminated: turns.flatMap(({ terminated }, index) => (terminated ? [] : [index])) }
}

function compare(produce: () => unknown, expected: unknown): Trial {
  return trial(outcomeOf(produce), (ours) =>
    unless(agrees(ours, { value: expected }) ? undefined : `we give ${show(ours)}, expected ${JSON.stringify(expected)}`),
  )
}
