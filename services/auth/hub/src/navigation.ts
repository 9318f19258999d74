import { signal } from '@preact/signals'

const base = '/hub'

/** The current location below `/hub`: `/checkouts`, and its query. */
export const place = signal(read())

interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

export function go(target: string): void {
  history.pushState(undefined, '', addressOf(target))
  place.value = read()
  scrollTo(0, 0)
}

/** The URL of a screen, so that links also open in a new tab. */
export function addressOf(target: string): string {
  return target === '/' ? base : base + target
}

function read(): Place {
  const path = location.pathname.slice(base.length).replace(/\/+$/, '')
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) }
}

addEventListener('popstate', () => {
  place.value = read()
})

/** Only a plain click changes the screen in place; the browser handles every other click. */
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || !isOurs(link) || !isPlain(event)) return
  event.preventDefault()
  go((link.pathname.slice(base.length) || '/') + link.search)
})

function isOurs(link: HTMLAnchorElement): boolean {
  const isHere = link.origin === location.origin && link.target === '' && link.hash === ''
  return isHere && link.pathname.startsWith(base) && !link.hasAttribute('download')
}

function isPlain(event: MouseEvent): boolean {
  const { ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
  return ![ctrlKey, metaKey, shiftKey, altKey, defaultPrevented].includes(true)
}
