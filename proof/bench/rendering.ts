import { compilePrompt, type Row } from '../../packages/rolecall/src/datasets.ts'
import { ByteSink } from '../../packages/rolecall/src/formats.ts'
import { perSecond } from './measure.ts'
import type { RenderingCase } from './rendering-cases.ts'

export type Measurement = {
  perSecond: number
  /** Time relative to writing the same finished strings into the same buffer. */
  floorRatio: number
  /** For chats, whose turns are separate texts: time relative to joining and writing them. */
  joinedRatio?: number
  characters: number
  /** The rate of the Python reference, measured elsewhere (in the notes), since it cannot run here. */
  reference?: number
}

const encoder = new TextEncoder()

/** One case in three variants: fixed examples, different examples for every row, and full provenance. */
export function measureRendering({ name, model, dataset, mode, shots, train, test, reference }: RenderingCase): [string, Measurement][] {
  const maker = compilePrompt(model, dataset)
  // For perplexity, a step is the prompt of one label, as for the reference.
  const prepared = (maker.labels ?? [undefined]).map((label) => maker.prepare({ mode, ...(label === undefined ? {} : { label }) }))
  const fixed = train.slice(0, shots)
  const own = test.map((_, index) => Array.from({ length: shots }, (__, shot) => train[(index * shots + shot) % train.length]!))
  const sink = new ByteSink(1 << 20)
  const rowAt = (index: number): Row => test[index % test.length]!
  const promptAt = (index: number) => prepared[index % prepared.length]!

  const floorOf = (examplesAt: (index: number) => readonly Row[]): number => {
    const finished = Array.from({ length: test.length * prepared.length }, (_, index) =>
      promptAt(index).text(rowAt(index), examplesAt(index % test.length)),
    )
    return perSecond((index) => encoder.encodeInto(finished[index % finished.length]!, sink.bytes))
  }
  const write = (examplesAt: (index: number) => readonly Row[]): number =>
    perSecond((index) => {
      sink.clear()
      promptAt(index).write(rowAt(index), sink, examplesAt(index % test.length))
    })
  const same = () => fixed
  const floor = floorOf(same)
  const measurement = (rate: number, floorRate: number): Measurement => ({
    perSecond: Math.round(rate),
    floorRatio: Number((floorRate / rate).toFixed(2)),
    characters: promptAt(0).text(rowAt(0), fixed).length,
    ...(reference === undefined ? {} : { reference }),
  })
  const results: [string, Measurement][] = [[`${name}-fixed`, measurement(write(same), floor)]]
  if (shots > 0)
    results.push([
      `${name}-own-examples`,
      measurement(
        write((index) => own[index]!),
        floorOf((index) => own[index]!),
      ),
    ])
  const withProvenance = perSecond((index) => void promptAt(index).prompt(rowAt(index), fixed))
  results.push([`${name}-provenance`, measurement(withProvenance, floor)])
  return results
}
