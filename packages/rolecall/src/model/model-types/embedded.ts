import { type ModelType, shippedTokenizer } from './model-type.ts'

const fields = {}

/** The model that comes with Rolecall: no network, key or GPU. */
export const embedded: ModelType<typeof fields> = {
  name: 'embedded',
  fields,
  isGreedy: true,
  isShipped: true,
  flag: {
    usage: 'embedded',
    read: (_, { hasFormat }) => ({ abbr: 'tiny-chat', ...(hasFormat ? {} : { format: 'internlm2' }) }),
  },
  tokenizer: () => shippedTokenizer,
  identity: (_, host) => host.shippedIdentity(),
  open: (config, { host, format, workers, isBatch }) =>
    host.openShipped({
      format,
      ...(config.abbr === undefined ? {} : { name: config.abbr }),
      ...(workers === undefined ? {} : { workers }),
      ...(isBatch ? { isBatch } : {}),
    }),
}
