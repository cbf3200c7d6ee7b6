import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Presses Tab until this element has the focus. Every focused element on the way must be visible, with a visible focus. */
export async function tabTo(page: Page, target: Locator, { back = false, most = 60 } = {}): Promise<void> {
  const wanted = await target.elementHandle()
  for (let step = 0; step < most; step++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    const { isThere, problem } = await page.evaluate(lookAtFocus, wanted)
    expect(problem).toBeUndefined()
    if (isThere) return
  }
  throw new Error(`${target} is not reached by ${most} times Tab`)
}

/** Evaluated in the page. */
function lookAtFocus(wanted: unknown): { isThere: boolean; problem?: string } {
  const focused = document.activeElement
  if (!focused || focused === document.body) return { isThere: false }
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused)
  const box = focused.getBoundingClientRect()
  const isMarked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  const isInSight = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
  const name = focused.outerHTML.slice(0, 160)
  return {
    isThere: focused === wanted,
    ...(isMarked ? {} : { problem: `nothing marks the focus on ${name}` }),
    ...(isInSight ? {} : { problem: `the focus is out of sight, on ${name}` }),
  }
}

/** The focused element as a screen reader announces it: its role or tag, and its name. */
export function focusedOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement
    const name = focused?.getAttribute('aria-label') ?? focused?.textContent ?? ''
    return `${focused?.getAttribute('role') ?? focused?.tagName.toLowerCase()} ${focused?.id === 'content' ? '' : name.trim().slice(0, 40)}`.trim()
  })
}
