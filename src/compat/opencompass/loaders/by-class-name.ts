/**
 * Finds what belongs to a dataset class by the name a config has for it: `GSM8KDataset` or `opencompass.datasets.GSM8KDataset`.
 * Earlier releases of OpenCompass spell some with other capitals and underscores (`hellaswagDataset_V2`). Undefined where it is not known.
 */
export function byClassName<Value>(classes: Readonly<Record<string, Value>>): (type: string) => Value | undefined {
  // The first of two whose names are alike without capitals and underscores.
  const bySpelling = new Map(
    Object.entries(classes)
      .toReversed()
      .map(([name, value]) => [spelling(name), value]),
  )
  return (type) => {
    const name = type.slice(type.lastIndexOf('.') + 1)
    return Object.hasOwn(classes, name) ? classes[name] : bySpelling.get(spelling(name))
  }
}

const spelling = (name: string) => name.toLowerCase().replaceAll('_', '')
