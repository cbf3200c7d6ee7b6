export { proveStructuralTag, type StructuralTagTrial, structuralTagTrials } from './prove-structural-tag.ts'
export { type StructuralTagRequest, structuralTag } from './structural-tag.ts'
export { constraintOf, type StructuralTag, type Tag, type TagFormat } from './tag-format.ts'
