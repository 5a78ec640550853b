// The keyboard keeps its place: when what it was at is gone or cannot be used any more, it goes to the
// nearest thing around it that can be focused, or to what is asked, not to the beginning of the page.

const usable = (element: Element) =>
  element.isConnected && !element.matches(':disabled') && !element.closest('[inert]')

/** Where the keyboard goes when `last`, which stood inside of `around` (the nearest first), is of no
 *  use any more; null: it stays where it is. */
export function placeAfter(last: HTMLElement, around: HTMLElement[]): HTMLElement | null {
  if (usable(last)) return last
  // One moment: it may come back.
  if (last.isConnected && last.closest('[aria-busy=true]')) return null
  return around.find((one) => usable(one) && one.matches('[tabindex]')) ?? null
}

/** Keep the place of the keyboard in `root`. */
export function keepFocus(root: HTMLElement): () => void {
  let last: HTMLElement | null = null
  let around: HTMLElement[] = []

  const entered = (event: FocusEvent) => {
    last = event.target as HTMLElement
    around = []
    for (let up = last.parentElement; up && up !== root; up = up.parentElement) around.push(up)
  }
  // Who clicks beside everything has left it.
  const clicked = (event: PointerEvent) => {
    if (!(event.target as Element).closest('button, a, input, select, textarea, [tabindex]')) {
      last = null
    }
  }
  let waiting = false
  const look = () => {
    waiting = false
    if (!last || (document.activeElement && document.activeElement !== document.body)) return
    const asked = root.querySelector<HTMLElement>('section.request[tabindex]')
    placeAfter(last, asked ? [...around, asked] : around)?.focus({ preventScroll: true })
  }
  const changed = new MutationObserver(() => {
    if (!waiting) requestAnimationFrame(look)
    waiting = true
  })
  changed.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'inert', 'aria-busy'],
  })
  root.addEventListener('focusin', entered)
  root.addEventListener('pointerdown', clicked)
  return () => {
    changed.disconnect()
    root.removeEventListener('focusin', entered)
    root.removeEventListener('pointerdown', clicked)
  }
}
