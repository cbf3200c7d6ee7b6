import { type PatternNode, parsePattern } from './parse-pattern.ts'

/**
 * What makes a backtracking engine slow: unbounded repetitions, nested ones, and repeated alternatives that may match the same text.
 * `choices`: the binary logarithm of the ways through the bounded parts, all of which it may try.
 */
export type PatternRisk = { endless: number; isNested: boolean; hasChoice: boolean; choices: number }

const noRisk: PatternRisk = { endless: 0, isNested: false, hasChoice: false, choices: 0 }

/**
 * How long JavaScript's own engine may take: with one unbounded repetition up to the square of the text's length, with each further one a
 * power more; if they are nested, or repeat a choice, there is no bound.
 *
 * @example
 * patternRisk('a.*b', 'u') // => { endless: 1, isNested: false, hasChoice: false, choices: 0 }
 * patternRisk('(a+)+', 'u') // => { endless: 2, isNested: true, hasChoice: false, choices: 0 }
 * patternRisk('(a?){9}', 'u').choices // => 9
 */
export function patternRisk(source: string, flags: string): PatternRisk {
  return riskOf(parsePattern(source, flags).node)
}

function riskOf(node: PatternNode): PatternRisk {
  switch (node.kind) {
    case 'sequence':
      return sum(node.nodes.map(riskOf))
    case 'either': {
      const risks = node.nodes.map(riskOf)
      const choices = Math.log2(risks.length) + Math.max(...risks.map((risk) => risk.choices))
      return { ...sum(risks), hasChoice: true, choices }
    }
    case 'group':
    case 'far-look':
      return riskOf(node.node)
    case 'unsupported':
      return node.node ? riskOf(node.node) : noRisk
    case 'repeat': {
      const inner = riskOf(node.node)
      const most = Math.max(1, node.most)
      // Ten repetitions of something unbounded count as unbounded.
      if (most < 10) return { ...inner, endless: inner.endless * most, choices: most * inner.choices + Math.log2(most - node.least + 1) }
      return {
        endless: inner.endless + 1,
        isNested: inner.isNested || inner.endless > 0 || inner.hasChoice,
        hasChoice: inner.hasChoice,
        choices: inner.choices,
      }
    }
    default:
      return noRisk
  }
}

function sum(risks: readonly PatternRisk[]): PatternRisk {
  return {
    endless: risks.reduce((all, { endless }) => all + endless, 0),
    isNested: risks.some(({ isNested }) => isNested),
    hasChoice: risks.some(({ hasChoice }) => hasChoice),
    choices: risks.reduce((all, { choices }) => all + choices, 0),
  }
}
