/** For each UTF-16 unit of a transformed text (and its end), the offset in the original text. */
type Alignment = { text: string; from: readonly number[] }

type NormalizerConfig = {
  type?: string
  prepend?: string
  pattern?: { String?: string }
  content?: string
  normalizers?: readonly NormalizerConfig[]
}

function unchanged(text: string): Alignment {
  return { text, from: Array.from({ length: text.length + 1 }, (_, index) => index) }
}

/**
 * Follows a normaliser step by step, to map every character of its result to its origin. Undefined for an unknown step: then offsets are
 * only as fine as the run.
 */
export function alignNormalizer(text: string, config: unknown): Alignment | undefined {
  return applySteps(unchanged(text), config as NormalizerConfig | null)
}

function applySteps(aligned: Alignment, config: NormalizerConfig | null | undefined): Alignment | undefined {
  switch (config?.type) {
    case undefined:
      return aligned
    case 'Sequence':
      return (config.normalizers ?? []).reduce<Alignment | undefined>((current, step) => current && applySteps(current, step), aligned)
    case 'Prepend':
      return aligned.text === '' ? aligned : prepend(aligned, config.prepend ?? '')
    case 'Replace':
      return config.pattern?.String === undefined ? undefined : replaceAll(aligned, config.pattern.String, config.content ?? '')
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return normalize(aligned, config.type)
    default:
      return undefined
  }
}

function prepend({ text, from }: Alignment, prefix: string): Alignment {
  return { text: prefix + text, from: [...Array.from(prefix, () => 0), ...from] }
}

function replaceAll({ text, from }: Alignment, pattern: string, content: string): Alignment {
  if (pattern === '' || !text.includes(pattern)) return { text, from }
  // A space becomes ▁: as long as lengths agree, nothing moves.
  if (pattern.length === content.length) return { text: text.replaceAll(pattern, () => content), from }
  const parts = text.split(pattern)
  const moved: number[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      for (let unit = 0; unit < content.length; unit++) moved.push(from[at]!)
      at += pattern.length
    }
    for (let unit = 0; unit < part.length; unit++) moved.push(from[at++]!)
  }
  moved.push(from[from.length - 1]!)
  return { text: parts.join(content), from: moved }
}

/** Created lazily: it takes Node 17 ms. */
let segmenter: Intl.Segmenter | undefined
const graphemes = () => (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** Normalisation does not reach beyond a character and its marks, so it can be followed character by character. */
function normalize({ text, from }: Alignment, form: string): Alignment | undefined {
  const whole = text.normalize(form)
  if (whole === text) return { text, from }
  const moved: number[] = []
  let joined = ''
  for (const { segment, index } of graphemes().segment(text)) {
    const changed = segment.normalize(form)
    for (let unit = 0; unit < changed.length; unit++) moved.push(from[index + (changed.length === segment.length ? unit : 0)]!)
    joined += changed
  }
  moved.push(from[from.length - 1]!)
  return joined === whole ? { text: whole, from: moved } : undefined
}
