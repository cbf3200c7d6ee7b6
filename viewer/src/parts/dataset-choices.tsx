import type { Site } from '../../../src/server/viewer/wire.ts'
import { partWords } from '../words/parts.ts'
import { Choice } from './choice.tsx'

type Props = {
  site: Site
  /** The number of the config, where there are several. */
  config: number
  dataset: string
  onConfig: (value: string) => void
  onDataset: (name: string) => void
}

/** Which config, where there are several, and which of its datasets. */
export function DatasetChoices({ site, config, dataset, onConfig, onDataset }: Props) {
  return (
    <>
      {site.configs.length > 1 && (
        <Choice
          label={partWords().config}
          value={String(config)}
          options={site.configs.map(({ name }, index) => [String(index), name])}
          onChange={onConfig}
        />
      )}
      <Choice
        label={partWords().dataset}
        value={dataset}
        options={site.configs[config]!.datasets.map(({ name }) => [name, name])}
        onChange={onDataset}
      />
    </>
  )
}
