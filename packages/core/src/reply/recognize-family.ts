import type { Format } from '../prompt/format/format.ts'
import type { Derived } from './derive/derive-syntax.ts'
import { type FamilyName, replySyntaxes } from './families/reply-syntaxes.ts'
import { thinkSpan } from './families/spans.ts'
import { type Block, holdsCalls, type MarkPair, marksOf, type ReplySyntax } from './syntax.ts'

/** What a format shows of a family: the form of its calls (`quotes`), or only other text of its prompts (`signs`). */
type Recognized = { family: ReplySyntax; by: 'quotes' | 'signs' }

/** Text in the prompts of families whose templates may say nothing about the form of calls. */
const signs: Partial<Record<FamilyName, readonly string[]>> = {
  lfm2: ['<|tool_list_start|>', 'List of tools: ['],
  'command-r': ['followed by a json-formatted list of actions'],
  'glm4-json': ['[gMASK]<sop>'],
  'phi4-mini': ['<|/tool|>'],
}

/** The family whose form of calls a format quotes; if several match, the one with the longest marks, then with the most marks of turns. */
export function quotedFamily(shown: string): ReplySyntax | undefined {
  let best: { family: ReplySyntax; length: number; turns: number } | undefined
  for (const family of Object.values(replySyntaxes as Record<string, ReplySyntax>)) {
    const length = Math.max(0, ...family.blocks.map((block) => quotedLength(block, family, shown)))
    const turns = new Set([...family.ends, ...family.turns].filter((mark) => shown.includes(mark))).size
    if (length > 0 && (best === undefined || length > best.length || (length === best.length && turns > best.turns)))
      best = { family, length, turns }
  }
  return best?.family
}

/** Families with the fewest blocks that a format does not show come first; of those, the ones with the most marks that it shows. */
export function byShownMarks(families: readonly ReplySyntax[], shown: string): ReplySyntax[] {
  const isShown = (mark: string) => mark.trim().length > 1 && shown.includes(mark)
  return families
    .map((family) => ({
      family,
      foreign: family.blocks.filter(({ open }) => !open.every(isShown)).length,
      marks: new Set([...marksOf(family), ...family.turns].filter(isShown)).size,
    }))
    .sort((a, b) => a.foreign - b.foreign || b.marks - a.marks)
    .map(({ family }) => family)
}

/** The family of a format that writes no calls. */
export function recognizeFamily(shown: string): Recognized | undefined {
  const quoted = quotedFamily(shown)
  if (quoted) return { family: quoted, by: 'quotes' }
  const known = Object.entries(signs) as [FamilyName, readonly string[]][]
  const found = known.find(([, texts]) => texts.some((text) => shown.includes(text)))
  return found && { family: replySyntaxes[found[0]], by: 'signs' }
}

/** The marks of reasoning that a format mentions, if only to remove them from earlier turns. */
export function mentionedSpan(shown: string): MarkPair | undefined {
  return shown.includes(thinkSpan.close) ? thinkSpan : undefined
}

/** What a format shows of itself: its prompts, its marks, and the source of its template. */
export function shownBy(format: Format, derived: Derived | undefined): string {
  return [derived?.writer.asked(true), derived?.writer.asked(false), ...format.markers, format.template]
    .filter((one) => one !== undefined)
    .join('\n')
}

/** The length of a block's marks if all of them are shown, else 0. A mark that opens every turn says nothing about calls. */
function quotedLength(block: Block, { turns }: ReplySyntax, shown: string): number {
  const open = block.open.join('')
  if (!holdsCalls(block) || open.length <= 5 || open.startsWith('```') || turns.includes(open)) return 0
  const marks = marksOf({ name: '', ends: [], turns: [], blocks: [{ ...block, open: [open] }] }).filter((mark) => mark.trim().length > 1)
  return marks.every((mark) => shown.includes(mark)) ? [...new Set(marks)].join('').length : 0
}
