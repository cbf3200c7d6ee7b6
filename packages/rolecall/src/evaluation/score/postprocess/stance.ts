/** What the words before a statement make of it: "the answer is B" is asserted, "I doubt that …" denied, "if …" supposed. */
export type Stance = 'asserted' | 'denied' | 'supposed'

/** A negation reaches to the end of its clause. */
const clauseStart = /[.,;:!?\n。，；：！？…]|\b(?:but|so|therefore|because|and|yet|hence|thus|then)\b|但|而|所以|因此/gi
const reach = 80

const certain = /\b(?:no|not a|without a?|little) (?:doubt|question)\b|\bnot only\b|毫无疑问|不难|无疑|无非/gi
const supposing =
  /\b(?:if|when|whether|unless|suppos\w*|assum\w*|imagin\w*|pretend|hypothetically|is it (?:possible|true))\b|\b(?:some|someone|one|many|people|students|others|you|they|we|i)\b[\w\s]{0,20}\b(?:might|may|could|would) (?:be tempted|think|say|believe|argue|assume|expect|conclude|guess)|\b(?:some|many|people|students|others|they)\b[\w\s]{0,20}\b(?:say|think|believe|argue|claim|answer)\b|\b(?:at first|initially|originally|tempt\w*|first instinct)\b|如果|假设|假如|倘若|若|是否|要是|有人|有些人|很多人|容易|一开始|起初|误以为|可能有/i
const denying =
  /\b(?:not|never|cannot|doubt\w*|unlikely|neither|nor|nothing|disagree|no evidence|no reason|deny|denies|reject\w*|rule out|exclude)\b|\w+n['’]t\b|不(?:认为|觉得|能|应该?|可|会|要|该|是|一定|见得)?[^。，\n]{0,4}$|并非|未必|没有|无法|难以|不认为|不觉得/i

const denyingAll = /不认为|不觉得|并非/

/** The stance of the clause that ends at a position. */
export function stanceBefore(text: string, at: number, clauseKind: 'main' | 'relative' = 'main'): Stance {
  const before = text.slice(Math.max(0, at - reach), at)
  let start = 0
  for (const { index, 0: mark } of before.matchAll(clauseStart)) start = index + mark.length
  const clause = before.slice(start).replace(certain, '')
  if (supposing.test(clause)) return 'supposed'
  return (clauseKind === 'main' ? denying : denyingAll).test(clause) ? 'denied' : 'asserted'
}
