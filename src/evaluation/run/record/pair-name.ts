/** A model, and the format that it was given in place of its own, where it was given one. */
export type ModelName = { model: string; format?: string | undefined }

/** What tells the pairs of a run apart: `--formats` asks one model about one dataset several times. */
export type PairName = ModelName & { dataset: string }

/** The name alone, of whatever else is known about a pair. */
export function nameOf({ model, format, dataset }: PairName): PairName {
  return { model, format, dataset }
}

export function isSameModel(one: ModelName, other: ModelName): boolean {
  return one.model === other.model && one.format === other.format
}

export function isSamePair(one: PairName, other: PairName): boolean {
  return isSameModel(one, other) && one.dataset === other.dataset
}

/** The models among these names, each once. */
export function distinctModels(names: readonly ModelName[]): ModelName[] {
  return names
    .filter((name, place) => names.findIndex((other) => isSameModel(name, other)) === place)
    .map(({ model, format }) => ({ model, format }))
}

/** A pair as people are shown it. */
export function pairText(name: PairName): string {
  return `${modelText(name)} on ${name.dataset}`
}

/** A model as people are shown it: `tiny as chatml` where it has a format that is not its own. Nothing reads this text. */
export function modelText({ model, format }: ModelName): string {
  return format === undefined ? model : `${model} as ${format}`
}
