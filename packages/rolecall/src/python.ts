// `rolecall/python`: values as Python writes them: floats that stay floats, integers of any size, `repr` and `json.dumps`.
export * from '@rolecall/core/python'
