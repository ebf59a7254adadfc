// The list of games at /, a table at /table/ID (with the seat's token in the fragment of its link), the way to a seat
// by invitation at /join/ID and back to a lost one at /recover/ID (with the code in the fragment), and the report of a
// game that is over at /report/ID.
export interface Route {
  page: 'home' | 'table' | 'join' | 'recover' | 'report'
  id: string
}

function read(): Route {
  const found = /^\/(table|join|recover|report)\/([\w-]+)$/.exec(location.pathname)
  return found?.[2] ? { page: found[1] as Route['page'], id: found[2] } : { page: 'home', id: '' }
}

export const route: Route = $state(read())

export function go(path: string): void {
  history.pushState(null, '', path)
  Object.assign(route, read())
  scrollTo(0, 0)
}

addEventListener('popstate', () => Object.assign(route, read()))

/** For links: goes there without loading the page again, but leaves clicks with a modifier to the browser. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest('a')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  if (link.origin !== location.origin || link.target) return
  event.preventDefault()
  go(link.pathname + link.hash)
}
