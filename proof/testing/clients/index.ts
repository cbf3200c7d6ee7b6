import { aiSdkClients } from './ai-sdk.ts'
import type { Client } from './client.ts'
import { langChainClients } from './langchain.ts'
import { officialClients } from './official.ts'

/** The clients tested against every kind of model; the table in docs/serve.md is generated from them. */
export const clients: readonly Client[] = [...officialClients, ...aiSdkClients, ...langChainClients]
