// Live updates of the tester's page: every event fetches all parts, and a changed part replaces the old one.

const top = document.querySelector('#top')
const { base } = top.dataset
const clock = { virtualMs: 0, atMs: 0, speed: 1 }

/** The server's last version of each part, so that text typed since does not count as a change. */
const sent = new Map()
const idOf = (list, part) => `${list.dataset.list} ${part.dataset.key}`
const lists = (root) => root.querySelectorAll('[data-list]')
const focusable = 'button, input, select, summary, a'

function remember(root) {
  for (const list of lists(root)) {
    for (const part of list.children) sent.set(idOf(list, part), part.outerHTML)
  }
}

/** Carries over the user's state of the old part: opened details, typed text and the focus. */
function preserveEdits(old, next) {
  const before = [...old.querySelectorAll('details')]
  for (const details of next.querySelectorAll('details')) {
    details.open = before.find(({ className }) => className === details.className)?.open ?? false
  }
  const typed = [...old.querySelectorAll('input')]
  for (const input of next.querySelectorAll('input')) {
    input.value = typed.find(({ name }) => name === input.name)?.value ?? input.value
  }
  const place = [...old.querySelectorAll(focusable)].indexOf(document.activeElement)
  old.replaceWith(next)
  if (place >= 0) next.querySelectorAll(focusable)[place]?.focus({ preventScroll: true })
}

/** Returns the new node of a part, or the existing node when the server sends the same bytes as before. */
function settle(list, known, next) {
  const id = idOf(list, next)
  if (known !== undefined && sent.get(id) === next.outerHTML) return known
  sent.set(id, next.outerHTML)
  if (known !== undefined) preserveEdits(known, next)
  return next
}

function reconcile(list, fresh) {
  const old = new Map([...list.children].map((part) => [part.dataset.key, part]))
  let last = null
  for (const next of [...fresh.children]) {
    const { key } = next.dataset
    const part = settle(list, old.get(key), next)
    old.delete(key)
    const isInPlace = part.parentElement === list && part.previousElementSibling === last
    if (!isInPlace) list.insertBefore(part, last === null ? list.firstChild : last.nextSibling)
    last = part
  }
  for (const gone of old.values()) {
    sent.delete(idOf(list, gone))
    gone.remove()
  }
}

function replaceParts(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  for (const list of lists(fresh)) {
    reconcile(document.querySelector(`[data-list="${list.dataset.list}"]`), list)
  }
  bringRingingUp()
  readClock()
  showCountdowns()
  document.dispatchEvent(new Event('sim:refreshed'))
}

const ringing = new Set()

/** A ringing phone is at the top of the list, so the list is scrolled to the top once when a phone begins to ring. */
function bringRingingUp() {
  const now = [...document.querySelectorAll('.phone.ringing')].map(({ id }) => id)
  if (now.some((id) => !ringing.has(id))) document.querySelector('#phones').scrollTop = 0
  ringing.clear()
  for (const id of now) ringing.add(id)
}

function readClock() {
  const state = document.querySelector('[data-now]')
  clock.virtualMs = Number(state.dataset.now)
  clock.speed = Number(state.dataset.speed)
  clock.atMs = performance.now()
}

function showCountdowns() {
  const nowMs = clock.virtualMs + (performance.now() - clock.atMs) * clock.speed
  for (const place of document.querySelectorAll('[data-expires]')) {
    const leftMs = Math.max(0, Number(place.dataset.expires) - nowMs)
    const left = Math.ceil(leftMs / 1000)
    place.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    const ring = place.closest('.ring')
    const share = ring === null ? 0 : (100 * leftMs) / Number(ring.dataset.lasts)
    ring?.querySelector('.left').setAttribute('stroke-dasharray', `${share} 100`)
  }
}

let isAsking = false
let isStale = false

/** One fetch at a time: an event during a fetch triggers another one. */
async function refresh() {
  isStale = true
  if (isAsking) return
  isAsking = true
  while (isStale) {
    isStale = false
    const response = await fetch(
      `${base}/sim/live?${top.dataset.view ?? location.search.slice(1)}`,
    ).catch(() => undefined)
    if (response?.ok) replaceParts(await response.text())
  }
  isAsking = false
}

remember(document)
readClock()
showCountdowns()
setInterval(showCountdowns, 250)
document.addEventListener('sim:refresh', refresh)
const stream = new EventSource(`${base}/sim/changes`)
stream.onmessage = refresh
stream.onopen = refresh
