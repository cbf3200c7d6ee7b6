import type { Row } from '@rolecall/core/internal/conversation'
import type { NoteCode } from '@rolecall/core/internal/errors'
import { attempt } from '@rolecall/core/internal/errors'
import { dictGet, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { figuresOf } from '../../score/evaluate/evaluate-answers.ts'
import type { RequestPlan } from '../ask/inferencer.ts'
import { planRequests } from '../ask/plan-requests.ts'
import type { Pair } from '../plan-run.ts'
import { noAnswer } from '../record/row-record.ts'
import { goldOf, lacksGold, type ScoredAnswer, scoreAnswer } from '../score-answer.ts'
import { announcedReplies, answerForm, bareReplies, mayShowAnswer, showsExamples } from './answer-form.ts'
import { type DataNote, quote } from './data-note.ts'

/** The first rows are all tested, later ones in steps, and none after this many milliseconds. */
const testedAtFirst = 5000
const step = 20
const mostMilliseconds = 1000

/** After this many rows without an announcement that is scored right, no more are tried. */
const mostInVain = 16

/** A right answer as a reply, how the evaluator compared it, and whether it is scored right. */
type Tried = { reply: string; isRight: boolean; compared: PyValue | undefined; error?: string | undefined; keep?: unknown }

/** The first row with a fault. */
type Example = Tried & { id: number; gold: PyValue }

/**
 * Scores the gold answers of a pair as if a model had replied with them, with the pair's postprocessors and evaluator: as they are, and
 * as the template writes them in the model's turn. Where likelihoods of labels are compared, one of the labels must be right.
 */
export class GoldTest {
  readonly #pair: Pair
  readonly #plan: RequestPlan
  readonly #now: () => number
  readonly #kept: unknown[] = []
  readonly #mayShowAnswer: boolean
  #rows = 0
  #tested = 0
  #milliseconds = 0
  readonly #without: { rows: number; first?: number } = { rows: 0 }
  readonly #wrong: { rows: number; example?: Example } = { rows: 0 }
  /** Gold answers that are right as they are, and wrong as the template writes them. */
  readonly #wrongForm: { rows: number; example?: Example } = { rows: 0 }
  #formed = 0
  /** Which announcement of an answer was scored right, and how many rows had none. */
  readonly #announced: { place?: number; inVain: number } = { inVain: 0 }
  /** Gold answers that are right, and wrong where a stop sequence ends them. */
  readonly #stopped: { rows: number; example?: Example } = { rows: 0 }
  /** A letter in a sentence that is scored wrong, though the letter alone is right. */
  #sentence: Example | undefined

  constructor(pair: Pair, now: () => number) {
    this.#pair = pair
    this.#plan = planRequests(pair)
    this.#now = now
    this.#mayShowAnswer = mayShowAnswer(pair)
  }

  add(row: Row, id: number): void {
    this.#rows++
    const { evaluator } = this.#pair
    const gold = goldOf(this.#pair, row)
    if (lacksGold(this.#pair, gold)) {
      this.#without.rows++
      this.#without.first ??= id
      return
    }
    if (this.#milliseconds > mostMilliseconds || (id >= testedAtFirst && id % step !== 0)) return
    const begun = this.#now()
    this.#test(row, id, evaluator.standIn ? evaluator.standIn(row) : (gold ?? null))
    this.#milliseconds += this.#now() - begun
  }

  #test(row: Row, id: number, gold: PyValue): void {
    const { whyNoChoice } = this.#pair.evaluator
    if (whyNoChoice) {
      const error = whyNoChoice(row)
      this.#tested++
      if (error !== undefined) count(this.#wrong, { reply: '', isRight: false, compared: undefined, error, id, gold })
      return
    }
    const isGenerated = this.#plan.inferencer.needs === 'generate'
    const replies = isGenerated ? this.#bareReplies(gold) : this.#labels(row)
    if (replies.length === 0) return
    this.#tested++
    const tried = replies.map((reply) => this.#try(reply, row, id, gold))
    const right = tried.find(({ isRight }) => isRight)
    const form = isGenerated && this.#mayShowAnswer ? answerForm(this.#pair, row) : undefined
    const formed = form === undefined || replies.includes(form) ? undefined : this.#try(form, row, id, gold)
    const found = right ?? (formed?.isRight ? formed : isGenerated ? this.#announce(row, id, gold) : undefined)
    const shown = found ?? tried[0]!
    if (this.#pair.evaluator.summarise && shown.error === undefined) this.#kept.push(shown.keep)
    if (formed) this.#formed++
    if (!found) count(this.#wrong, { ...tried[0]!, id, gold })
    else if (right && formed?.isRight === false) count(this.#wrongForm, { ...formed, id, gold })
    if (isGenerated && right) this.#tryStops(right.reply, row, id, gold)
    if (id === 0 && right && isGenerated && /^[A-Z]$/.test(right.reply) && (form ?? right.reply) === right.reply)
      this.#trySentence(right.reply, row, gold)
  }

  /** The gold answer as it is, and as its postprocessor leaves it. */
  #bareReplies(gold: PyValue): readonly string[] {
    const bare = bareReplies(gold)
    if (this.#pair.dataset.eval_cfg?.dataset_postprocessor === undefined) return bare
    const cleaned = attempt(() => this.#pair.read.reference(pyStr(gold)))
    return cleaned === undefined ? bare : [...new Set([...bare, ...bareReplies(cleaned)])]
  }

  /** An announcement of the answer that is scored right. */
  #announce(row: Row, id: number, gold: PyValue): Tried | undefined {
    const announced = this.#announced
    if (announced.place === undefined && announced.inVain >= mostInVain) return undefined
    const replies = announcedReplies(gold)
    const likely = announced.place === undefined ? [] : replies.slice(announced.place, announced.place + 1)
    for (const reply of [...likely, ...replies]) {
      const tried = this.#try(reply, row, id, gold)
      if (!tried.isRight) continue
      announced.place = replies.indexOf(reply)
      return tried
    }
    announced.inVain++
    return undefined
  }

  #tryStops(reply: string, row: Row, id: number, gold: PyValue): void {
    const { stopTexts = [] } = this.#plan.generation
    const ends = stopTexts.map((stop) => reply.indexOf(stop)).filter((at) => at >= 0)
    if (ends.length === 0) return
    const tried = this.#try(reply.slice(0, Math.min(...ends)), row, id, gold)
    if (!tried.isRight) count(this.#stopped, { ...tried, id, gold })
  }

  /** Without a postprocessor, a letter is only right if it is the whole reply. */
  #trySentence(letter: string, row: Row, gold: PyValue): void {
    const tried = this.#try(`The answer is ${letter}.`, row, 0, gold)
    if (!tried.isRight) this.#sentence = { ...tried, id: 0, gold }
  }

  #try(reply: string, row: Row, id: number, gold: PyValue): Tried {
    const { samples, inferencer } = this.#plan
    const isChat = inferencer.readsChats && isList(gold)
    const prediction = isChat ? gold.map((one) => pyStr(one)) : samples > 1 ? new Array<string>(samples).fill(reply) : reply
    // Only a user's function may be asynchronous, and pairs with one are not tested.
    const { verdict, keep } = scoreAnswer(
      { pair: this.#pair, plan: this.#plan },
      { ...noAnswer(0), prediction },
      gold,
      row,
      id,
    ) as ScoredAnswer
    const { score = 0, error, details } = verdict
    const isRight = error === undefined && (this.#pair.evaluator.kind === 'verdict' ? score === 1 : score > 0)
    const compared = details?.pred ?? attempt(() => this.#pair.read.prediction(reply, row).value)
    return { reply, isRight, compared, error, keep }
  }

  /** What can be predicted by comparing likelihoods. */
  #labels(row: Row): readonly string[] {
    const given = this.#pair.maker.labels ?? this.#pair.dataset.infer_cfg.inferencer?.choices ?? dictGet(row, 'choices')
    return isList(given) ? given.map((one) => pyStr(one)) : []
  }

  /** Why no answer can be scored right; undefined if some can. */
  refusal(): DataNote | undefined {
    const [rows, tested] = [this.#rows, this.#tested]
    if (rows > 0 && this.#without.rows === rows)
      return this.#note('no-gold', rows, rows === 1 ? 'the row has no gold answer' : `none of ${rows} rows has a gold answer`)
    if (tested > 0 && this.#wrong.rows === tested) return this.#wrongNote()
    const { evaluator } = this.#pair
    // If answers are right or wrong, each was scored: 0 may be due to the rows (a correlation of one class), or be the best value (a drop).
    const isMeasured = evaluator.summarise && evaluator.kind !== 'verdict' && evaluator.direction !== 'lower' && tested > 0
    const value = isMeasured ? attempt(() => figuresOf(evaluator, [], this.#kept)[evaluator.metric]) : undefined
    if (value !== undefined && value <= 0)
      return this.#note('unscorable-gold', tested, `${evaluator.metric} is ${value} even if every answer is the gold answer`)
    // The examples show the model a form that is never right.
    const isTaught = showsExamples(this.#pair) && this.#formed > 0 && this.#wrongForm.rows === this.#formed
    return isTaught ? this.#formNote() : undefined
  }

  /** Warnings about some of the gold answers. */
  notes(): DataNote[] {
    const { rows, first } = this.#without
    const lacking = `${rows} of ${this.#rows} rows ${rows === 1 ? 'has' : 'have'} no gold answer, first row ${first}: not scored`
    return [
      ...(rows > 0 ? [this.#note('no-gold', rows, lacking)] : []),
      ...(this.#wrong.rows > 0 ? [this.#wrongNote()] : []),
      ...(this.#wrongForm.rows > 0 ? [this.#formNote()] : []),
      ...(this.#stopped.rows > 0 ? [this.#stopNote()] : []),
      ...(this.#sentence ? [this.#sentenceNote(this.#sentence)] : []),
    ]
  }

  #wrongNote(): DataNote {
    const { rows, example } = this.#wrong
    const { id, gold, compared, error } = example!
    const labels = this.#plan.inferencer.needs === 'score' ? this.#pair.maker.labels : undefined
    const how =
      error !== undefined
        ? `: ${error}`
        : labels
          ? ` is none of the labels ${labels.join(', ')}`
          : pyStr(compared ?? null) === pyStr(gold)
            ? ' itself is scored wrong'
            : ` is compared as ${quote(compared ?? null)}`
    return this.#note(
      'unscorable-gold',
      rows,
      `${rows} of ${this.#of} gold answers cannot be scored right: gold ${quote(gold)}${how} (row ${id})`,
    )
  }

  #formNote(): DataNote {
    const { rows, example } = this.#wrongForm
    const { id, gold, reply, compared } = example!
    const text = `${rows} of ${this.#of} gold answers are scored wrong as the template writes them: ${quote(reply)} is compared as ${quote(compared ?? null)}, gold is ${quote(gold)} (row ${id})`
    return this.#note('unscorable-form', rows, text)
  }

  #stopNote(): DataNote {
    const { rows, example } = this.#stopped
    const { id, gold, reply } = example!
    const stops = (this.#plan.generation.stopTexts ?? []).map((stop) => quote(stop)).join(', ')
    const text = `a stop sequence (${stops}) occurs in ${rows} of ${this.#of} gold answers, which are wrong without the rest: gold ${quote(gold)} ends as ${quote(reply)} (row ${id})`
    return this.#note('stop-in-gold', rows, text)
  }

  #sentenceNote({ reply, compared, gold }: Example): DataNote {
    const text = `only the bare letter is right: ${quote(reply)} is compared as ${quote(compared ?? null)}, gold is ${quote(gold)}. A pred_postprocessor such as choice_answer reads sentences`
    return this.#note('bare-letters', this.#tested, text)
  }

  /** How many were tested, and that there are more. */
  get #of(): string {
    return this.#tested + this.#without.rows === this.#rows ? `${this.#tested}` : `${this.#tested} tested (of ${this.#rows})`
  }

  #note(code: NoteCode, rows: number, text: string): DataNote {
    const key = keys[code] ?? 'eval_cfg'
    return { code, where: `${this.#pair.name.dataset} › ${key}`, text, rows }
  }
}

/** The place in a config that a note is about, if it is not `eval_cfg`. */
const keys: Readonly<Partial<Record<NoteCode, string>>> = { 'no-gold': 'reader_cfg.output_column', 'stop-in-gold': 'infer_cfg.inferencer' }

function count(counted: { rows: number; example?: Example }, example: Example): void {
  counted.rows++
  counted.example ??= example
}
