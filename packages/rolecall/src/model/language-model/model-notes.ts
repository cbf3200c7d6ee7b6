import type { NoteTable } from '@rolecall/core/internal/errors'

/** Notes on what models are sent and reply. */
export const modelNotes = {
  'adapted-request': { severity: 'note', en: 'the request was adapted to what the server accepts', zh: '按服务器的要求调整了请求' },
  'bos-by-server': {
    severity: 'warning',
    en: 'the prompt is sent as text, and the server may add BOS',
    zh: '提示词以文本发送，服务器可能再加 BOS',
  },
  'cache-written': {
    severity: 'warning',
    en: 'tokens were written to the cache of prompts, which costs more than is counted',
    zh: '有 token 写入了提示词缓存，其费用高于所计的费用',
  },
  'content-filter': { severity: 'warning', en: "the server's content filter cut the reply", zh: '服务器的内容过滤截断了回复' },
  'context-full': { severity: 'warning', en: 'the reply was cut at the end of the context', zh: '回复在上下文长度上限处被截断' },
  'ignored-setting': { severity: 'warning', en: 'the server ignores this setting', zh: '服务会忽略此参数' },
  'eos-differs': {
    severity: 'note',
    en: 'format and tokenizer end a reply with different tokens, and both stop it',
    zh: '格式与 tokenizer 的结束 token 不同，两者都会停止生成',
  },
  'key-in-reply': {
    severity: 'warning',
    en: 'the reply had a key of the config, which was replaced by ***',
    zh: '回复中含有配置里的密钥，已替换为 ***',
  },
  'not-checked': {
    severity: 'warning',
    en: 'whether the server kept to the constraint could not be checked',
    zh: '无法检查服务器是否遵守了输出约束',
  },
  'not-constrained': { severity: 'warning', en: 'the reply does not keep to its constraint', zh: '回复没有遵守输出约束' },
  'not-cut': {
    severity: 'warning',
    en: 'the prompt was sent whole, because its reply alone is longer than the context',
    zh: '回复本身就放不下，提示词完整发送',
  },
  refusal: { severity: 'note', en: 'the model refused to answer, in a separate field', zh: '模型拒绝回答（独立字段）' },
  'reply-part-unread': {
    severity: 'warning',
    en: 'the reply has a part that is neither text, reasoning nor a call',
    zh: '回复中有一部分既不是文本、思考过程，也不是调用，未读取',
  },
  'scored-in-windows': { severity: 'note', en: 'a text longer than the context was scored in windows', zh: '文本超出上下文，分窗口打分' },
  'stop-not-sent': { severity: 'warning', en: 'the server is not told to stop at a token', zh: '未要求服务器在该 token 处停止' },
  'stop-unknown': { severity: 'warning', en: 'the tokenizer lacks a stop token', zh: 'tokenizer 没有该停止 token' },
  'stops-unused': { severity: 'note', en: 'a constrained reply ends where its value ends, not at stops', zh: '受约束的回复不使用停止符' },
} as const satisfies NoteTable

/** The codes of notes on what models are sent and reply. */
export type ModelNotes = typeof modelNotes

declare module '@rolecall/core/internal/errors' {
  interface NotesAbove extends ModelNotes {}
}
