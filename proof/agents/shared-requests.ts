import { fileURLToPath } from 'node:url'
import { type AgentRequest, type NamedTemplate, readAgentRequests, readTemplateFolder, readTemplateLines } from './agent-requests.ts'

/** A path in the shared folder beside the clone. */
export function shared(path: string): string {
  return fileURLToPath(new URL(`../../../shared/${path}`, import.meta.url))
}

/** The templates and requests that are shared. */
export function sharedPairs(): { templates: NamedTemplate[]; requests: AgentRequest[] } {
  const newest = readTemplateFolder(shared('templates-2026'))
  const vectors = readTemplateLines(shared('conformance/chat/jinja_templates.jsonl'))
  return { templates: [...newest, ...vectors], requests: readAgentRequests(shared('agents')) }
}
