import { PromptError } from '@rolecall/core/internal/errors'
import type { TemplateCompiler } from '@rolecall/core/internal/jinja'
import { TemplateSubject, type TokenizerFacts } from '../lint/template-subject.ts'
import { markGeneration, type ThinkingSwitch, type TurnOpening, type TurnShape } from './mark-generation.ts'
import { type MessageLoop, messageLoops, withoutMarks } from './message-loops.ts'
import { type ProbedChat, probeChats, proveTwin, type TwinProof } from './prove-twin.ts'

/** A chat template that marks what the model writes, and the proof that it writes the same text. */
export type TrainingTwin = {
  source: string
  /** The loops that were edited, by line. */
  lines: readonly number[]
  /** The template marks the same already. */
  isUnchanged: boolean
  proof: TwinProof
}

/**
 * Writes `{% generation %}` blocks into a chat template: where they stand is derived from what it renders, so that trainers such as TRL train exactly
 * the tokens that the model generates. Each possible edit is proven over small chats, and the first that holds is returned; an error says why none does.
 */
export function trainingTwin(
  source: string,
  compile: TemplateCompiler,
  { name, tokens }: { name: string } & Pick<TokenizerFacts, 'tokens'>,
): TrainingTwin {
  const original = new TemplateSubject(source, { tokens }, compile, { name })
  const probes = probeChats(original)
  if (probes.length === 0) throw notExpressible(name, 'it renders none of the chats that the proof needs')
  if (probes.every(({ undecided }) => undecided > 0))
    throw notExpressible(name, 'a finished turn never begins with its generation prompt, so nothing tells what the model writes')
  const own = proveTwin(probes, original)
  if (isProven(own)) return { source, lines: [], isUnchanged: true, proof: own }
  const loops = messageLoops(original.source, original.body)
  if (loops.length === 0) throw notExpressible(name, 'no loop over messages writes them outside of macros')
  const foundOpenings = [openingsOf(probes, ({ openings }) => openings), openingsOf(probes, ({ leads }) => leads.flatMap(endsOf))]
  const thinking = ['enable_thinking', 'thinking'].find((switched) => original.names.includes(switched))
  let best: TrainingTwin | undefined
  for (const openings of foundOpenings)
    for (const chosen of choices(loops))
      for (const until of ['marker', 'text', 'all'] as const) {
        const shape = { openings, thinking, marker: original.end.marker, until }
        const twin = provenTwin({ original, probes, compile, name, tokens }, chosen, shape)
        if (twin === undefined) continue
        if (isProven(twin.proof)) return twin
        if (best === undefined || score(twin.proof) > score(best.proof)) best = twin
      }
  const [difference] = best?.proof.differences ?? []
  throw notExpressible(
    name,
    difference === undefined
      ? 'no edit of its loops can be parsed'
      : `no edit of its loops marks what the model writes, e.g. ${difference.chat}: ${JSON.stringify(difference.original)} against ${JSON.stringify(difference.twin)}`,
  )
}

function openingsOf(probes: readonly ProbedChat[], textsOf: (probe: ProbedChat) => readonly string[]): TurnOpening[] {
  const found = new Map<string, Set<ThinkingSwitch>>()
  for (const probe of probes)
    for (const text of textsOf(probe)) found.set(text, (found.get(text) ?? new Set<ThinkingSwitch>()).add(probe.thinking))
  return [...found].map(([text, when]) => ({ text, when }))
}

/** The ends of a text that begin with a marker or a line: a loop may begin to write a turn at any of them. */
function endsOf(lead: string): string[] {
  const near = lead.slice(-200)
  return [...near.matchAll(/^|[<[]|(?<=[\n>\]])/g)].map(({ index }) => near.slice(index)).filter((end) => end.trim() !== '')
}

/** All loops together, then each alone. */
function choices(loops: readonly MessageLoop[]): MessageLoop[][] {
  return loops.length === 1 ? [[...loops]] : [[...loops], ...loops.map((loop) => [loop])]
}

type Setting = { original: TemplateSubject; probes: readonly ProbedChat[]; compile: TemplateCompiler; name: string } & Pick<
  TokenizerFacts,
  'tokens'
>

function provenTwin(
  { original, probes, compile, name, tokens }: Setting,
  loops: readonly MessageLoop[],
  shape: TurnShape,
): TrainingTwin | undefined {
  const source = markGeneration(withoutMarks(original.source, original.body), loops, shape)
  try {
    const subject = new TemplateSubject(source, { tokens: tokens ?? original.tokens }, compile, { name })
    return { source, lines: loops.map(({ line }) => line), isUnchanged: false, proof: proveTwin(probes, subject) }
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

function isProven({ chats, sameText, decided, sameMask }: TwinProof): boolean {
  return sameText === chats && sameMask === decided
}

function score({ sameText, sameMask }: TwinProof): number {
  return sameText + sameMask
}

function notExpressible(name: string, problem: string): PromptError {
  return new PromptError('not-expressible', {
    where: name,
    problem: `no training twin: ${problem}`,
    fix: 'export rows with masks instead, which need no marks: rolecall export training',
  })
}
