// `rolecall/hub`: models and datasets by name, from Hugging Face and ModelScope. It needs Node.
export type { DatasetPart } from './app/node/hub/fetch-dataset.ts'
export type { HubLock } from './app/node/hub/hub-lock.ts'
export { type HubName, parseHubName, showHubName } from './app/node/hub/hub-name.ts'
export type { HubSource, RepoFile, RepoListing } from './app/node/hub/hub-site.ts'
export { localDatasetPaths, localGgufPath, localModelPath } from './app/node/hub/local-paths.ts'
export { type FetchedFiles, Hub, type HubOptions, type HubProgress } from './app/node/hub/open-hub.ts'
