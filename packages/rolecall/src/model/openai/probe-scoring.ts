import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { plain } from '@rolecall/core/internal/text'
import { cannotScoreAt } from '../language-model/cannot-score.ts'
import type { ScoredPrompt } from '../language-model/language-model.ts'
import { Refused } from './http/model-server.ts'
import type { ServerName } from './http/server-error.ts'
import { CannotScore, type ScoreMethod, scoreMethods } from './score-prompt.ts'

const knownText = 'The capital of France is Paris. 1 + 1 = 2, 2 + 2 = 4.'

/** A text whose tokens differ widely in probability, for any model. */
export const probePrompt: Prompt & { kind: 'completion' } = {
  kind: 'completion',
  pieces: [plain(knownText, { by: 'template', path: 'probe' })],
  bos: 'tokenizer',
  stop: [],
  notes: [],
}

export type ProbeOptions = {
  score: (prompt: Prompt & { kind: 'completion' }, method: ScoreMethod) => Promise<ScoredPrompt>
  explain: (error: Refused) => Promise<PromptError>
  server: ServerName
  only?: ScoreMethod['by'] | undefined
}

/**
 * Finds a way to score prompts by scoring a known text. Servers that ignore `echo`, as llama.cpp's does, would otherwise return values of
 * other tokens, and every comparison would be random.
 */
export async function probeScoring({ score, explain, server, only }: ProbeOptions): Promise<ScoreMethod> {
  const reasons: string[] = []
  for (const method of scoreMethods) {
    if (only !== undefined && method.by !== only) continue
    try {
      checkKnown(await score(probePrompt, method))
      return method
    } catch (error) {
      if (error instanceof CannotScore) reasons.push(`with ${nameOf(method)} ${error.message}`)
      else if (error instanceof Refused && isAboutFields(error.refusal.status)) {
        reasons.push(`with ${nameOf(method)} it answered ${error.refusal.status}: "${error.refusal.message}"`)
      } else if (error instanceof PromptError && error.code === 'request-failed') reasons.push(`with ${nameOf(method)} it failed`)
      else throw error instanceof Refused ? await explain(error) : error
    }
  }
  throw cannotScoreAt(server.where, server.shown, reasons)
}

/** Statuses that mean that the server rejects a field, not that it is the wrong server. */
function isAboutFields(status: number): boolean {
  return status === 400 || status === 422 || status === 501
}

function checkKnown({ logProbabilities }: ScoredPrompt): void {
  const values = logProbabilities.slice(1)
  if (values.length < 4) throw new CannotScore(`it gives ${logProbabilities.length} tokens for a text of many`)
  if (new Set(values).size < 3) throw new CannotScore(`it gives every token the same log-probability (${values[0]})`)
}

function nameOf({ by, maxTokens }: ScoreMethod): string {
  return by === 'echo' ? `echo and max_tokens ${maxTokens}` : 'prompt_logprobs'
}
