import { PromptError } from '../../base/errors/prompt-error.ts'
import { type StepBudget, StepsSpent } from '../../base/pattern/step-budget.ts'
import { dictEntries, dictFromEntries, dictHas, isDict, isList, type PyDict, type PyValue } from '../../base/python/index.ts'
import { type ArgumentTypes, castArguments } from './cast-arguments.ts'
import { ContentProblem, quoted } from './content.ts'
import type { ResponseField, ResponseTemplate } from './response-template.ts'
import { fillEach, fillTransform } from './transform.ts'

/** What was wrong with a reply. The message has everything else. */
export type ResponseProblem = {
  /**
   * - `malformed`: a region is not what its field says, e.g. no JSON. Its text is in `text`.
   * - `cut`: a region with a close mark ended with the reply, and its content cannot show whether it is complete.
   * - `missing`: a required field did not occur.
   * - `no-anchor`: the prompt has no start anchor.
   * - `budget`: a pattern took too many steps.
   */
  kind: 'malformed' | 'cut' | 'missing' | 'no-anchor' | 'budget'
  problem: string
  field?: string
  text?: string
}

export type Closed = { value: PyValue; problem?: string }

/** Collects the values of regions in a message. */
export class MessageBuilder {
  readonly problems: ResponseProblem[] = []
  readonly #template: ResponseTemplate
  readonly #types: ArgumentTypes
  readonly #compat: boolean
  readonly #values: Map<string, PyValue>
  readonly #budget: StepBudget
  /** The regions of the implicit field so far: they are one, which is read when the reply ends. */
  #implicit: { text: string; count: number; groups: ReadonlyMap<string, PyValue> } = { text: '', count: 0, groups: new Map() }

  constructor(template: ResponseTemplate, types: ArgumentTypes, compat: boolean, budget: StepBudget) {
    this.#budget = budget
    this.#template = template
    this.#types = types
    this.#compat = compat
    this.#values = new Map(dictEntries(template.defaults))
  }

  close(field: ResponseField, body: string, groups: ReadonlyMap<string, PyValue>, isCut: boolean): Closed {
    try {
      // JSON shows whether it is complete, and text is what there is of it; tags and lines may lack some.
      if (isCut && !this.#compat && field.transform !== undefined && field.mayLackParts)
        throw new CutRegion('the reply ends before the region does')
      const value = this.#valueOf(field, body, groups)
      this.#store(field, body, value, groups)
      return { value }
    } catch (error) {
      return { value: null, problem: this.#report(error, field, body) }
    }
  }

  /** What is wrong with a region. Throws what is no problem of a reply. */
  #report(error: unknown, field: ResponseField, text: string): string {
    const isSpent = error instanceof StepsSpent
    if (!isSpent && !(error instanceof ContentProblem)) throw error
    const problem = isSpent ? 'a pattern of the template takes too long' : error.message
    if (this.#compat)
      throw new PromptError('response-malformed', {
        where: `reply › ${field.name}`,
        problem,
        fix: 'read it without compat, which keeps the rest',
      })
    const kind = isSpent ? 'budget' : error instanceof CutRegion ? 'cut' : 'malformed'
    this.problems.push({ kind, field: field.name, text, problem })
    return problem
  }

  #valueOf(field: ResponseField, body: string, groups: ReadonlyMap<string, PyValue>): PyValue {
    const { transform, transformEach, read } = field
    const content = read(body, this.#budget)
    if (transform === undefined) return castArguments(content, this.#types)
    const value = transformEach
      ? fillEach(transform, content, groups)
      : fillTransform(transform, new Map([...groups, ['content', content]]))
    return castArguments(value, this.#types)
  }

  #store(field: ResponseField, body: string, value: PyValue, groups: ReadonlyMap<string, PyValue>): void {
    const { name, join, repeats } = field
    const earlier = this.#values.get(name) ?? undefined
    if (join !== undefined) {
      if (typeof value !== 'string') throw new ContentProblem(`only texts are joined, and ${quoted(body)} gives something else`)
      this.#values.set(name, earlier === undefined ? value : `${earlier as string}${join}${value}`)
    } else if (repeats) {
      if (isOwnList(earlier, this.#own)) earlier.push(value)
      else {
        const list = [...((earlier as readonly PyValue[] | undefined) ?? []), value]
        this.#own.add(list)
        this.#values.set(name, list)
      }
    } else if (field.open === undefined && !this.#compat) {
      // What stands between other regions is one text: the last part does not replace the others.
      const { text, count } = this.#implicit
      this.#implicit = { text: text + body, count: count + 1, groups }
      if (count === 0) this.#values.set(name, value)
    } else this.#values.set(name, value)
  }

  /** Lists that were made here, and may be added to. */
  readonly #own = new WeakSet<readonly PyValue[]>()

  /** Reads the parts of the implicit field as one: once, because a hostile reply has as many of them as characters. */
  #joinImplicit(): void {
    const { implicit: field } = this.#template
    const { text, count, groups } = this.#implicit
    if (field === undefined || count < 2) return
    try {
      this.#values.set(field.name, this.#valueOf(field, text, groups))
    } catch (error) {
      this.#report(error, field, text)
    }
  }

  finish(): { message: PyDict; problems: readonly ResponseProblem[] } {
    this.#joinImplicit()
    for (const { name, isOptional } of this.#template.fields) {
      if (isOptional || this.#values.has(name)) continue
      const problem = `the field "${name}" is required, and the reply does not have it`
      if (this.#compat)
        throw new PromptError('response-malformed', { where: 'reply', problem, fix: 'read it without compat, which keeps the rest' })
      this.problems.push({ kind: 'missing', field: name, problem })
    }
    const { defaults } = this.#template
    const message = dictFromEntries([...this.#values].filter(([name, value]) => dictHas(defaults, name) || !isEmpty(value)))
    return { message, problems: this.problems }
  }
}

class CutRegion extends ContentProblem {}

function isOwnList(value: PyValue | undefined, own: WeakSet<readonly PyValue[]>): value is PyValue[] {
  return isList(value) && own.has(value)
}

function isEmpty(value: PyValue): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0) || (isDict(value) && dictEntries(value).length === 0)
}
