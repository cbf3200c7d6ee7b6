import { registerDatasetClasses } from '../../evaluation/dataset/dataset-classes.ts'
import { settingsOfClass } from './loaders/settings-of-class.ts'

/** Makes the settings of OpenCompass's dataset classes known to `checkConfig`; loads no loader and no evaluator. */
export function registerOpenCompassDatasets(): void {
  registerDatasetClasses(settingsOfClass)
}
