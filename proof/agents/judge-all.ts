import { judgePair, modelOf, type PairVerdict, readRequest, refusalOf, takesQuestion } from './judge-pair.ts'
import { sharedPairs } from './shared-requests.ts'

/** Which pairs are judged, and who is told of each. */
export type JudgeOptions = {
  /** Only every nth template. */
  every?: number
  /** Parts of names. */
  template?: string
  request?: string
  onPair?(file: string, template: string, verdict: PairVerdict): void
}

export type JudgedPairs = {
  counts: Record<PairVerdict['outcome'], number>
  /** Requests that their reader refuses, whatever the template. */
  unread: number
  /** Templates that refuse a lone question: they need variables that no request has. */
  unusable: number
  /** The share of the pairs that a template refuses. */
  refusedShare: number
}

/** Every request of the data set on every template. */
export function judgeAll({ every = 1, template: part = '', request: file = '', onPair }: JudgeOptions): JudgedPairs {
  const { templates, requests } = sharedPairs()
  const counts = { kept: 0, reported: 0, refused: 0, silent: 0, failed: 0 }
  let unread = 0
  let unusable = 0
  const readable = requests
    .filter((request) => request.file.includes(file))
    .flatMap((request) => {
      try {
        return [{ request, requested: readRequest(request) }]
      } catch (error) {
        unread++
        onPair?.(request.file, 'its reader', refusalOf(error))
        return []
      }
    })
  for (const template of templates.filter(({ name }, index) => name.includes(part) && index % every === 0)) {
    const served = modelOf(template)
    if (!takesQuestion(served)) {
      unusable++
      continue
    }
    for (const { request, requested } of readable) {
      const verdict = judgePair(request, requested, served)
      counts[verdict.outcome]++
      onPair?.(request.file, template.name, verdict)
    }
  }
  const pairs = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { counts, unread, unusable, refusedShare: pairs === 0 ? 0 : counts.refused / pairs }
}
