// The inspector: opens timelines, shows HTTP exchanges, and replays them.

const top = document.querySelector('#top')
const { base } = top.dataset
const announcement = document.querySelector('[data-announcement]')
const words = document.querySelector('[data-words]')
const opened = new Set(
  [...document.querySelectorAll('.timeline[open]')].map((timeline) => timeline.dataset.timeline),
)
/** Fetched events by id, while they are shown. */
const shown = new Map()
let page = '0'

function look() {
  const view = new URLSearchParams({ words: words.value, page })
  for (const timeline of opened) view.append('open', timeline)
  top.dataset.view = view
  document.dispatchEvent(new Event('sim:refresh'))
}

const element = (name, props, ...children) => {
  const made = Object.assign(document.createElement(name), props)
  made.append(...children)
  return made
}

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

async function post(id, how) {
  const response = await fetch(`${base}/sim/v1/events/${id}/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how),
  })
  const answer = await response.json()
  const statuses = response.ok
    ? answer.map(({ exchange }) => exchange.answer?.status ?? 'no answer').join(', ')
    : answer.error
  announcement.textContent = `Played again: ${statuses}`
}

function panelOf({ id, exchange }) {
  const { method, target, headers, body, answer, curl } = exchange
  const editor = element('textarea', { value: pretty(body), rows: 8, spellcheck: false })
  editor.setAttribute('aria-label', 'Body to send')
  const button = (text, press) => {
    const made = element('button', { type: 'button', className: 'small', textContent: text })
    made.addEventListener('click', () => void press())
    return made
  }
  const edited = () => (editor.value === pretty(body) ? {} : { body: editor.value })
  const copy = async () => {
    await navigator.clipboard?.writeText(curl)
    announcement.textContent = 'Copied: secrets are to be filled in'
  }
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return element(
    'div',
    { className: 'wire' },
    element('p', { className: 'target', textContent: `${method} ${target}` }),
    element('pre', { textContent: headerLines.join('\n'), tabIndex: 0 }),
    editor,
    element('p', { textContent: answer === null ? 'No answer.' : `Answer ${answer.status}` }),
    element('pre', { textContent: answer === null ? '' : pretty(answer.body), tabIndex: 0 }),
    element(
      'div',
      { className: 'row' },
      button('Play again', () => post(id, edited())),
      button('× 10', () => post(id, { times: 10, ...edited() })),
      button('× 10 in parallel', () => post(id, { times: 10, parallel: true, ...edited() })),
      button('Copy as curl', copy),
    ),
  )
}

async function toggleEvent(button) {
  const id = button.dataset.event
  if (shown.has(id)) shown.delete(id)
  else {
    const response = await fetch(`${base}/sim/v1/events/${id}`)
    if (response.ok) shown.set(id, panelOf(await response.json()))
  }
  showPanels()
}

/** A replaced timeline has lost its panels: they are restored, with unfinished edits. */
function showPanels() {
  for (const button of document.querySelectorAll('[data-event]')) {
    const panel = shown.get(button.dataset.event)
    button.setAttribute('aria-expanded', String(panel !== undefined))
    if (panel === undefined) button.parentElement.querySelector('.wire')?.remove()
    else if (panel.parentElement !== button.parentElement) button.after(panel)
  }
}

document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.matches('.timeline')) return
    const { timeline } = target.dataset
    if (target.open === opened.has(timeline)) return
    if (target.open) opened.add(timeline)
    else opened.delete(timeline)
    look()
  },
  true,
)

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button')
  if (button?.dataset.event !== undefined) void toggleEvent(button)
  if (button?.dataset.page !== undefined) {
    page = button.dataset.page
    look()
  }
})

let typing
words.addEventListener('input', () => {
  clearTimeout(typing)
  page = '0'
  typing = setTimeout(look, 200)
})
document.addEventListener('sim:refreshed', showPanels)
