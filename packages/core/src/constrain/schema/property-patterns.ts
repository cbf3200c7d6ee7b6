import { LinearPattern, UnsupportedPattern } from '../../base/pattern/index.ts'
import { type Automaton, TooLarge } from '../text/automaton.ts'
import { both, otherTexts, quoted } from '../text/combine.ts'
import { otherThan } from '../text/complement.ts'
import { patternAutomaton } from '../text/pattern-automaton.ts'
import type { SchemaPart } from './json-schema.ts'
import type { SchemaCompiler } from './schema-compiler.ts'
import type { SchemaParts } from './schema-part.ts'
import { escaped } from './schema-references.ts'

/** The patterns of `patternProperties` in several schemas. */
export class PropertyPatterns {
  readonly sources: readonly string[]
  readonly #patterns = new Map<string, LinearPattern>()
  readonly #found: readonly SchemaPart[]
  readonly #parts: SchemaParts

  constructor(found: readonly SchemaPart[], parts: SchemaParts) {
    this.#found = found
    this.#parts = parts
    this.sources = [...new Set(found.flatMap((part) => Object.keys(parts.byName(part, 'patternProperties'))))]
    for (const source of this.sources)
      this.#patterns.set(
        source,
        this.enforce(source, () => new LinearPattern(source, 'u')),
      )
  }

  /** The patterns that a name matches. */
  matching(name: string): string[] {
    return this.sources.filter((source) => {
      const pattern = this.#patterns.get(source)!
      this.#parts.budget.charge(1 + ((pattern.size * name.length) >> 6))
      return pattern.test(name)
    })
  }

  /** Runs work on a pattern; what fails is refused with its path. */
  enforce<Result>(source: string, work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof UnsupportedPattern) && !(error instanceof TooLarge)) throw error
      const { pointer } = this.#found.find((part) => Object.hasOwn(this.#parts.byName(part, 'patternProperties'), source))!
      throw this.#parts.refuse(
        `${pointer}/patternProperties/${escaped(source)}`,
        `the pattern ${source} cannot be enforced: ${error.message}`,
        'write a simpler pattern, or name the properties',
      )
    }
  }
}

/** All names but the given ones, by the patterns that they match. */
export function namesByPattern(
  names: readonly string[],
  patterns: PropertyPatterns,
  { parts: { budget }, otherKeys }: SchemaCompiler,
): { key: Automaton; matched: string[] }[] {
  if (patterns.sources.length === 0) {
    const list = JSON.stringify(names)
    const known = otherKeys.get(list) ?? quoted(otherTexts(names, budget), budget)
    otherKeys.set(list, known)
    return [{ key: known, matched: [] }]
  }
  let groups: { texts: Automaton; matched: string[] }[] = [{ texts: otherTexts(names, budget), matched: [] }]
  for (const source of patterns.sources) {
    groups = patterns.enforce(source, () => {
      const matching = patternAutomaton(source, { spelling: 'json', isWhole: false, budget })
      const others = otherThan(matching, budget)
      return groups
        .flatMap(({ texts, matched }) => [
          { texts: both(texts, matching, budget), matched: [...matched, source] },
          { texts: both(texts, others, budget), matched },
        ])
        .filter(({ texts }) => !texts.isEmpty)
    })
  }
  return groups.map(({ texts, matched }) => ({ key: quoted(texts, budget), matched }))
}
