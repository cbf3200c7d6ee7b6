import { type PatternNode, parsePattern } from './parse-pattern.ts'

/** What makes a backtracking engine slow: unbounded repetitions, nested ones, and repeated alternatives that may match the same text. */
export type PatternRisk = { endless: number; isNested: boolean; hasChoice: boolean }

/**
 * How long JavaScript's own engine may take: with one unbounded repetition up to the square of the text's length, with each further one a
 * power more; if they are nested, or repeat a choice, there is no bound.
 *
 * @example
 * patternRisk('a.*b', 'u') // => { endless: 1, isNested: false, hasChoice: false }
 * patternRisk('(a+)+', 'u') // => { endless: 2, isNested: true, hasChoice: false }
 */
export function patternRisk(source: string, flags: string): PatternRisk {
  return riskOf(parsePattern(source, flags).node)
}

function riskOf(node: PatternNode): PatternRisk {
  switch (node.kind) {
    case 'sequence':
      return sum(node.nodes.map(riskOf))
    case 'either':
      return { ...sum(node.nodes.map(riskOf)), hasChoice: true }
    case 'group':
      return riskOf(node.node)
    case 'unsupported':
      return node.node ? riskOf(node.node) : { endless: 0, isNested: false, hasChoice: false }
    case 'repeat': {
      const inner = riskOf(node.node)
      // Ten repetitions of something unbounded count as unbounded.
      if (node.most < 10) return { ...inner, endless: inner.endless * Math.max(1, node.most) }
      return { endless: inner.endless + 1, isNested: inner.isNested || inner.endless > 0 || inner.hasChoice, hasChoice: inner.hasChoice }
    }
    default:
      return { endless: 0, isNested: false, hasChoice: false }
  }
}

function sum(risks: readonly PatternRisk[]): PatternRisk {
  return {
    endless: risks.reduce((all, { endless }) => all + endless, 0),
    isNested: risks.some(({ isNested }) => isNested),
    hasChoice: risks.some(({ hasChoice }) => hasChoice),
  }
}
