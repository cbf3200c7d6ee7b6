import type { CauseLedger, WhyCause, WhyStep } from './cause-ledger.ts'
import type { PromptCause } from './prompt-causes.ts'
import { cutBy, isCut, oddReply } from './reply-difference.ts'
import { modelDifferences, type SetupCause } from './setup-causes.ts'
import type { WhyRow, WhySide } from './why-row.ts'

/** What is known about a row whose replies differ. */
export type ReplyEvidence = {
  prompts: readonly PromptCause[]
  isSamePrompt: boolean
  sampling: readonly SetupCause[]
  models: readonly SetupCause[]
  reply: 'reasoning channel' | 'text'
  first: WhyRow
  second: WhyRow
}

/** What made a reply differ: its reasoning's place, its prompt, the settings, something special about it, another model, or chance. */
export function replyCause(
  ledger: CauseLedger,
  sides: readonly [WhySide, WhySide],
  { prompts, isSamePrompt, sampling, models, reply, first, second }: ReplyEvidence,
): WhyCause {
  if (reply === 'reasoning channel') return ledger.of('replies', 'reasoning channel', 'the same reasoning inside the reply and beside it')
  const limits = sampling.filter(({ cause }) => cause === 'max tokens' || cause === 'stop strings')
  // A reply that is the start of the other was cut, whatever else differs.
  if (limits.length > 0 && isCut(first, second)) return ledger.ofAll('sampling', limits)
  const cut = cutBy(first, second, [sides[0].setup.sampling.stop, sides[1].setup.sampling.stop])
  if (cut)
    return ledger.of(
      'sampling',
      cut,
      cut === 'max tokens'
        ? 'one reply ended at the token limit, the other continues'
        : 'one reply ended at a stop string, the other continues',
    )
  if (prompts.length > 0) return ledger.ofAll(prompts[0]!.step, [...prompts, ...sampling])
  if (sampling.length > 0) return ledger.ofAll('sampling', sampling)
  const odd = oddReply(first, second)
  if (odd) return ledger.of('replies', odd.cause, odd.detail)
  if (models.length > 0) return ledger.ofAll('replies', models)
  if (!isSamePrompt) return ledger.of('prompt', 'prompt not recorded', 'it may be another prompt, or noise: the settings are the same')
  if (sides.some(({ setup }) => setup.isUnknown))
    return ledger.of('sampling', 'settings not recorded', 'one side has no readable settings: other settings, or noise')
  return ledger.of('noise', 'sampling', 'the same prompt and settings, another answer: sampling or a server that is not deterministic')
}

/** Another model by its name, else by its settings. */
export function modelCauses(sides: readonly [WhySide, WhySide]): SetupCause[] {
  const [one, other] = [sides[0].model, sides[1].model]
  return one === other ? modelDifferences(sides) : [{ cause: 'model', detail: `${one} → ${other}` }]
}

/** The step of a setting of scoring. */
export function stepOf(cause: string): WhyStep {
  return cause === 'extraction' ? 'extraction' : 'gold and metric'
}

/** `read`: the answers that both sides read from one reply. */
export type ScoringEvidence = {
  first: WhyRow
  second: WhyRow
  read: readonly [string | undefined, string | undefined]
  prompts: readonly PromptCause[]
}

/** Why the same reply has another score: the settings that differ, else what the records show. */
export function scoringCause(
  ledger: CauseLedger,
  scoring: readonly SetupCause[],
  { first, second, read, prompts }: ScoringEvidence,
): WhyCause {
  const isRead = read[0] !== undefined && read[1] !== undefined && read[0] !== read[1]
  const known = scoring.length > 1 && isRead ? scoring.filter(({ cause }) => cause === 'extraction') : scoring
  const chosen = known.length > 0 ? known : scoring
  if (chosen.length > 0) return ledger.ofAll(stepOf(chosen[0]!.cause), chosen)
  if (first.gold !== second.gold) {
    const order = prompts.find(({ cause }) => cause === 'choice order')
    return order
      ? ledger.of('prompt', order.cause, order.detail)
      : ledger.of('gold and metric', 'gold', 'the gold answers of the rows differ')
  }
  return isRead
    ? ledger.of('extraction', 'extraction', 'the same reply is read differently')
    : ledger.of('gold and metric', 'scorer', 'the same answer has another verdict')
}
