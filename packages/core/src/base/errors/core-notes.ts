import type { NoteTable } from './note-table.ts'

/** Notes on prompts: their templates, formats and tokens. */
export const coreNotes = {
  'arguments-parsed': { severity: 'note', en: 'arguments of tool calls were parsed from JSON text', zh: '工具调用的参数由 JSON 文本解析' },
  'blank-text-dropped': { severity: 'note', en: 'blank text without a role was dropped', zh: '省略了不属于任何角色的空白文本' },
  'bos-in-prompt': {
    severity: 'note',
    en: 'the prompt starts with BOS, so the tokenizer does not add it',
    zh: '提示词已含 BOS，tokenizer 不再添加',
  },
  clock: { severity: 'note', en: 'the template reads the current time', zh: '模板使用了当前时间' },
  'column-missing': { severity: 'warning', en: 'a row lacks the column that holds the messages', zh: '该行没有存放消息的列' },
  'cut-to-window': {
    severity: 'warning',
    isLoss: true,
    en: 'only the end of a prompt that is longer than the window is sent',
    zh: '提示词超出窗口，只发送末尾部分',
  },
  'developer-as-system': {
    severity: 'note',
    en: 'the format has no role developer, so system is used',
    zh: '格式没有 developer 角色，使用 system',
  },
  'empty-turn': { severity: 'note', en: 'a role speaks, but the template gives it no text', zh: '某个角色的发言为空' },
  'example-begin-unused': {
    severity: 'note',
    en: 'examples use only the round of the ice_template',
    zh: '示例只使用 ice_template 的 round',
  },
  'examples-dropped': {
    severity: 'warning',
    en: 'examples were dropped to stay within the token limit',
    zh: '为不超过长度上限，省略了部分示例',
  },
  'examples-unused': { severity: 'warning', en: 'the chat has no place for examples', zh: '对话中没有放置示例的位置' },
  'fallback-role': { severity: 'note', en: 'the format lacks a role, so its fallback is used', zh: '格式没有该角色，使用了替代角色' },
  'fields-dropped': { severity: 'warning', isLoss: true, en: 'fields of a message were dropped', zh: '消息中的部分字段被省略' },
  'history-dropped': {
    severity: 'warning',
    isLoss: true,
    en: 'the oldest messages were dropped to stay within the window',
    zh: '为不超过窗口，省略了最早的消息',
  },
  'history-left-out': {
    severity: 'warning',
    isLoss: true,
    en: 'the format writes only what the user says last',
    zh: '格式只写出用户的最后一次发言',
  },
  'ice-token-unused': {
    severity: 'warning',
    en: 'the template has no ice token, so examples are not shown',
    zh: '模板没有放置示例的标记，示例未使用',
  },
  'labels-in-generation': {
    severity: 'warning',
    en: 'a generative prompt uses only the template of the first label',
    zh: '生成式提示词只使用第一个标签的模板',
  },
  'little-room': {
    severity: 'warning',
    en: 'the prompt leaves little room for the reply, which may be cut',
    zh: '留给回复的空间不足，回复可能被截断',
  },
  'loose-text-as-user': { severity: 'note', en: 'text without a role is said by the user', zh: '没有角色的文本算作用户发言' },
  'loose-text-dropped': { severity: 'warning', en: 'text without a role was dropped', zh: '没有角色的文本被省略' },
  'marker-in-data': { severity: 'warning', en: 'data contains a marker of the format', zh: '数据中有格式标记' },
  'marker-is-no-token': {
    severity: 'warning',
    en: 'a marker of the format is not a special token of the tokenizer',
    zh: '格式标记不是该 tokenizer 的特殊 token',
  },
  'message-fields-unused': { severity: 'warning', en: 'the format has no place for fields of a message', zh: '格式无法表示消息的部分字段' },
  'messages-left-out': {
    severity: 'warning',
    isLoss: true,
    en: 'messages of the template after its offset are left out',
    zh: '模板中 offset 之后的消息被省略',
  },
  'neighbours-merged': {
    severity: 'note',
    en: 'neighbouring turns of one role were merged, because roles must alternate',
    zh: '格式要求角色交替，合并了相邻发言',
  },
  'no-bos': { severity: 'warning', en: 'neither the prompt nor the tokenizer writes BOS', zh: '提示词与 tokenizer 都没有写 BOS' },
  'no-format': {
    severity: 'warning',
    en: 'the model declares no format, so prompts are plain text',
    zh: '模型没有声明格式，提示词为纯文本',
  },
  'no-generating-role': {
    severity: 'warning',
    en: 'no role of the last round has generate: true',
    zh: '最后一轮没有 generate: true 的角色',
  },
  'no-turn-end': { severity: 'warning', en: 'a turn has no end marker', zh: '该角色的发言没有结束标记' },
  'null-content': { severity: 'note', en: 'a content of null became empty text', zh: '内容为 null，按空文本处理' },
  'part-left-out': { severity: 'warning', en: 'media leave no trace in the prompt', zh: '提示词中没有该媒体的痕迹' },
  'part-renamed': {
    severity: 'note',
    en: 'a part was given to the template under the name that it tests for',
    zh: '按模板识别的名称传入了该部分',
  },
  'parts-joined': { severity: 'note', en: 'the parts of a message were joined to one text', zh: '消息的多个部分合并为一段文本' },
  'refused-by-default': {
    severity: 'warning',
    en: 'refused by default, and read here as the reference does',
    zh: '默认会拒绝，此处按参考实现处理',
  },
  'role-not-marked': { severity: 'warning', en: 'the format does not mark who says a text', zh: '格式没有标明发言角色' },
  'rounds-cut': { severity: 'warning', en: 'only as many rounds as the shortest list has', zh: '轮数按最短的列表截断' },
  'system-folded': { severity: 'note', en: 'a system turn became part of another turn', zh: '系统消息并入了其他发言' },
  'text-as-part': {
    severity: 'note',
    en: 'a text became a list of one part, which the template requires',
    zh: '模板只接受分部内容，文本转为一个部分',
  },
  'text-left-out': { severity: 'warning', en: 'the template does not write a text', zh: '模板没有写出该文本，模型看不到' },
  'text-outside-turns': { severity: 'warning', en: 'text is outside any turn', zh: '有文本在轮次之外' },
  'thought-renamed': {
    severity: 'note',
    en: 'reasoning was given to the template under the name that it reads',
    zh: '思考过程按模板读取的字段名传入',
  },
  'thoughts-left-out': { severity: 'note', en: 'the reasoning of earlier turns was left out', zh: '省略了之前轮次的思考过程' },
  'too-long': {
    severity: 'warning',
    en: 'the prompt is over the token limit even without examples',
    zh: '即使不带示例，提示词也超过长度上限',
  },
  'turn-dropped': { severity: 'warning', en: 'OpenCompass leaves this part out of a chat', zh: '对话中的该部分被省略' },
  'unknown-field': { severity: 'warning', en: 'a row lacks a field, so its placeholder stays', zh: '该行没有这个字段，占位符保持不变' },
  'unknown-key': { severity: 'warning', en: 'an unknown key was ignored', zh: '未知的键，已忽略' },
  'unread-mistake': { severity: 'warning', en: 'a mistake in a part that this prompt does not use', zh: '错误未影响此处的提示词' },
  'variable-unread': { severity: 'warning', en: 'the template does not read a variable', zh: '模板没有读取该变量' },
} as const satisfies NoteTable

export type CoreNotes = typeof coreNotes
