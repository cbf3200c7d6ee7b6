import { chatStatements } from './chat-statements.ts'
import { datasetStatements } from './dataset-statements.ts'
import { modelStatements } from './model-statements.ts'
import type { Statement } from './statement.ts'

/** Every kind of snippet that a reader of documents 000 to 004 may paste. */
export const statements: readonly Statement[] = [...modelStatements, ...datasetStatements, ...chatStatements]
