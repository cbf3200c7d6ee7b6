/** Whether models of a type are on a server, which writes messages in the model's format itself. To know it, the types need not be loaded. */
export function isServerType(type: string | undefined): boolean {
  return type === 'openai'
}
