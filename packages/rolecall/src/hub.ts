// `rolecall/hub`: models and datasets by name, from Hugging Face and ModelScope. It needs Node.
export type { DatasetPart } from './node/hub/fetch-dataset.ts'
export type { HubLock } from './node/hub/hub-lock.ts'
export { type HubName, parseHubName, showHubName } from './node/hub/hub-name.ts'
export type { HubSource, RepoFile, RepoListing } from './node/hub/hub-site.ts'
export { localDatasetPaths, localGgufPath, localModelPath } from './node/hub/local-paths.ts'
export { type FetchedFiles, Hub, type HubOptions, type HubProgress } from './node/hub/open-hub.ts'
