import { inferencerName, type NamedInferencer } from '@rolecall/core/internal/compile'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { notAvailable } from '../../score/not-available.ts'
import { chat } from './chat.ts'
import { chooseToken } from './choose-token.ts'
import { generate } from './generate.ts'
import type { Inferencer } from './inferencer.ts'
import { compareLikelihood, comparePerplexity, onlyPerplexity } from './score-labels.ts'

const registered: Record<string, Inferencer> = {
  GenInferencer: generate,
  PPLInferencer: comparePerplexity,
  LLInferencer: compareLikelihood,
  CLPInferencer: chooseToken,
  PPLOnlyInferencer: onlyPerplexity,
  ChatInferencer: chat,
}

/** Inferencers by their names in OpenCompass, including those registered by plug-ins. */
export const inferencers: Readonly<Record<string, Inferencer>> = registered

/** Adds inferencers that configs can name. Two inferencers with one name are a bug. */
export function registerInferencers(more: Readonly<Record<string, Inferencer>>): void {
  for (const [name, inferencer] of Object.entries(more)) {
    if ((registered[name] ?? inferencer) !== inferencer) throw new Error(`"${name}" is registered twice`)
    registered[name] = inferencer
  }
}

/** The inferencer that a config names; generation when none is named. */
export function inferencerOf(inferencer: NamedInferencer | undefined, where: string): Inferencer {
  const name = inferencerName(inferencer)
  const found = Object.hasOwn(inferencers, name) ? inferencers[name] : undefined
  if (found) return found
  throw new PromptError('unknown-inferencer', {
    where: `${where} › infer_cfg.inferencer.type`,
    problem: notAvailable(name),
    fix: suggestName(name, Object.keys(inferencers)),
  })
}
