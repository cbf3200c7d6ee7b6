/** A model, and the format that replaces its own, if any. */
export type ModelName = { model: string; format?: string | undefined }

/** Identifies a pair within a run: `--formats` runs one model on one dataset several times. */
export type PairName = ModelName & { dataset: string }

/** Only the name of a pair, without its other properties. */
export function nameOf({ model, format, dataset }: PairName): PairName {
  return { model, format, dataset }
}

export function isSameModel(one: ModelName, other: ModelName): boolean {
  return one.model === other.model && one.format === other.format
}

export function isSamePair(one: PairName, other: PairName): boolean {
  return isSameModel(one, other) && one.dataset === other.dataset
}

/** The models among these names, without duplicates. */
export function distinctModels(names: readonly ModelName[]): ModelName[] {
  return names
    .filter((name, place) => names.findIndex((other) => isSameModel(name, other)) === place)
    .map(({ model, format }) => ({ model, format }))
}

/** The display name of a pair. */
export function pairText(name: PairName): string {
  return `${modelText(name)} on ${name.dataset}`
}

/** The display name of a model: `tiny as chatml` if another format replaces its own. Nothing parses this text. */
export function modelText({ model, format }: ModelName): string {
  return format === undefined ? model : `${model} as ${format}`
}
