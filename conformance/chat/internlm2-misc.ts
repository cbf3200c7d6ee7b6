import { dictGet, isDict } from '../../src/base/python/index.ts'
import { compileChat } from '../../src/index.ts'
import { splitTranscript } from '../../src/prompt/format/internlm2/split-transcript.ts'
import { internlm2 } from '../../src/prompt/format/presets/internlm2.ts'
import type { Verdict } from '../judge.ts'
import { sameValue } from '../outcome.ts'
import type { Suite } from '../suite.ts'
import { judgeExtractCode } from './extract-code.ts'
import { judgeLenientJson } from './lenient-json.ts'

const groups = ['internlm2-token-id', 'internlm2-transcript', 'internlm2-lenient-json', 'internlm2-extract-code']

/** Document 004: token ids, the examples as transcripts, and how the references handle almost-JSON and code in text. */
export const internlm2Misc: Suite = {
  name: 'chat',
  recognises: (vector) => groups.includes(String(dictGet(vector, 'group'))),
  judge(vector) {
    if (!isDict(vector)) return { kind: 'failed', why: 'no vector' }
    const expected = dictGet(vector, 'expected')
    switch (dictGet(vector, 'group')) {
      case 'internlm2-token-id':
        return compare(idOf(String(dictGet(vector, 'token'))), expected)
      case 'internlm2-transcript':
        return compare(transcriptOf(String(dictGet(vector, 'input'))), expected)
      case 'internlm2-extract-code':
        return judgeExtractCode(vector)
      case 'internlm2-lenient-json':
        return judgeLenientJson(vector)
      default:
        return { kind: 'later' }
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

function compare(ours: unknown, expected: unknown): Verdict {
  if (sameValue(ours, expected)) return { kind: 'passed' }
  return { kind: 'failed', why: `we give ${JSON.stringify(ours)}, expected ${JSON.stringify(expected)}` }
}
