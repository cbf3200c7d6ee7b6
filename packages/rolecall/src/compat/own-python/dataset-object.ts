import type { Value } from '@rolecall/core/internal/python'
import { newDict } from '../../python/interpreter/containers.ts'
import { defineModule } from '../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../python/interpreter/session.ts'
import { NativeObject } from '../../python/interpreter/values.ts'
import type { DatasetValue } from '../lm-eval/python/dataset-value.ts'

/** An OpenCompass dataset object, as a `dict_postprocessor` gets it: the rows are its test split. */
export class DatasetObject extends NativeObject {
  readonly typeName = 'BaseDataset'

  constructor(readonly rows: DatasetValue) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    const splits = () => newDict(session, [['test', this.rows] as const])
    switch (name) {
      case 'test':
        return this.rows
      case 'dataset':
        return splits()
      case 'reader':
        return defineModule('DatasetReader', { dataset: splits() })
      default:
        return undefined
    }
  }
}
