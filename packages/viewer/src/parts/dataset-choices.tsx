import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { findNamed, linkNames } from '../names.ts'
import { partTexts } from '../texts/parts.ts'
import { Choice } from './choice.tsx'

type Props = {
  site: Site
  /** The index of the config, if there are several. */
  config: number
  dataset: string
  onConfig: (name: string) => void
  onDataset: (name: string) => void
}

/** Selects a config, if there are several, and one of its datasets. */
export function DatasetChoices({ site, config, dataset, onConfig, onDataset }: Props) {
  return (
    <>
      {site.configs.length > 1 && (
        <Choice
          label={partTexts().config}
          value={configNames(site)[config]!}
          options={configNames(site).map((name) => [name, name])}
          onChange={onConfig}
        />
      )}
      <Choice
        label={partTexts().dataset}
        value={dataset}
        options={site.configs[config]!.datasets.map(({ name }) => [name, name])}
        onChange={onDataset}
      />
    </>
  )
}

function configNames(site: Site): string[] {
  return linkNames(site.configs.map(({ name }) => name))
}

/** The config and dataset a link refers to, and names that do not exist. */
export function chosenDataset(site: Site, query: Readonly<Record<string, string>>) {
  const { index: number, missing: noConfig } = findNamed(
    site.configs.map(({ name }) => name),
    query.config,
  )
  const config = site.configs[number]!
  const { index: datasetIndex, missing: noDataset } = findNamed(
    config.datasets.map(({ name }) => name),
    query.dataset,
  )
  const words = partTexts()
  const missing = [
    [words.config, noConfig],
    [words.dataset, noDataset],
  ] as const
  return { config, number, dataset: config.datasets[datasetIndex], datasetIndex, missing }
}
