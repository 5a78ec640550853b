// Which page is shown: the address bar is the truth. The server answers every path with the client.

export interface Route {
  /** The parts of the path: ['game', 'x7…']. */
  parts: string[]
  query: URLSearchParams
}

function read(): Route {
  return {
    parts: location.pathname.split('/').filter(Boolean).map(decoded),
    query: new URLSearchParams(location.search),
  }
}

/** A mistyped address leads to no page, but it breaks none. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

let current = $state.raw<Route>(read())

export const route = {
  get parts() {
    return current.parts
  },
  get query() {
    return current.query
  },
}

/** Go to another page of this site. */
export function go(path: string, replace = false): void {
  if (path !== location.pathname + location.search) {
    history[replace ? 'replaceState' : 'pushState'](null, '', path)
  }
  current = read()
  if (!replace) scrollTo(0, 0)
}

/** Follow the browser's buttons, and links without loading the page again. */
export function followLinks(): void {
  addEventListener('popstate', () => (current = read()))
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link || link.target || link.hasAttribute('download')) return
    if (link.origin !== location.origin || link.hash) return
    // Pages of the server itself, not of the client.
    if (/^\/(api|docs|openapi)/.test(link.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
