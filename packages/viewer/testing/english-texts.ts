/** Visible texts and names with several English words, outside of code and data; evaluated in the page. */
export function englishTexts(): string[] {
  const isData = (element: Element | null) =>
    element?.closest(
      'pre, code, q, select, th[scope=row], #app [lang=en], .prompt, .tree, .editor, .virtual-list, .virtual-line, .stop, .wordmark, .language',
    )
  const found: string[] = []
  const walker = document.createTreeWalker(document.querySelector('#app')!, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (!isData(node.parentElement)) found.push(node.textContent ?? '')
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    for (const name of ['aria-label', 'title', 'placeholder'])
      if (!isData(element.parentElement)) found.push(element.getAttribute(name) ?? '')
  }
  for (const option of document.querySelectorAll('select > option')) found.push(option.textContent ?? '')
  return found.filter((text) => /[a-z]{3,} [a-z]{2,}/.test(text) && !/[\u4e00-\u9fff]/.test(text))
}
