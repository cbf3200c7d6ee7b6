import { registerDatasetClasses } from '../../evaluation/dataset/dataset-classes.ts'
import { settingsOfClass } from './loaders/settings-of-class.ts'

/** Registers the settings of OpenCompass's dataset classes for `checkConfig`; loads no loader and no evaluator. */
export function registerOpenCompassDatasets(): void {
  registerDatasetClasses(settingsOfClass)
}
