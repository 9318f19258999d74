// The tester's page, alive: every event asks for the parts anew, and a part that has changed takes the old one's place.

const live = document.querySelector('#live')
const said = document.querySelector('[data-said]')
const clock = { virtualMs: 0, atMs: 0, speed: 1 }

async function call(method, path, body) {
  const response = await fetch(`/sim/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) said.textContent = ''
  else {
    const { error, problems = [] } = await response.json()
    said.textContent = ['Refused', error, ...problems.map(({ message }) => message)].join(': ')
  }
}

/** What the server last sent for each part: what people typed into it since is no change. */
const sent = new Map()

function remember(root) {
  for (const part of root.querySelectorAll('[data-key]')) sent.set(part.dataset.key, part.outerHTML)
}

function replaceParts(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html').body
  const keys = (root) => [...root.querySelectorAll('[data-key]')].map((part) => part.dataset.key)
  if (keys(fresh).join() !== keys(live).join())
    live.replaceChildren(...fresh.cloneNode(true).childNodes)
  for (const part of fresh.querySelectorAll('[data-key]')) {
    const { key } = part.dataset
    if (sent.get(key) === part.outerHTML) continue
    const old = live.querySelector(`[data-key="${key}"]`)
    const next = part.cloneNode(true)
    for (const [index, details] of next.querySelectorAll('details').entries()) {
      details.open = old.querySelectorAll('details')[index]?.open ?? false
    }
    old.replaceWith(next)
  }
  remember(fresh)
  readClock()
  showCountdowns()
}

function readClock() {
  const state = live.querySelector('[data-now]')
  clock.virtualMs = Number(state.dataset.now)
  clock.speed = Number(state.dataset.speed)
  clock.atMs = performance.now()
}

function showCountdowns() {
  const nowMs = clock.virtualMs + (performance.now() - clock.atMs) * clock.speed
  for (const place of live.querySelectorAll('[data-expires]')) {
    const left = Math.max(0, Math.ceil((Number(place.dataset.expires) - nowMs) / 1000))
    place.textContent = `for another ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  }
}

let isAsking = false
let isStale = false

/** A burst of events asks once, and once more when it was still going on. */
async function refresh() {
  isStale = true
  if (isAsking) return
  isAsking = true
  while (isStale) {
    isStale = false
    const response = await fetch('/sim/live').catch(() => undefined)
    if (response?.ok) replaceParts(await response.text())
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  isAsking = false
}

function pressKey(input, key) {
  if (key === 'clear') input.value = ''
  else if (key === 'back') input.value = input.value.slice(0, -1)
  else if (input.value.length < input.maxLength) input.value += key
}

/** `150.5` shillings -> `15050`; what is no amount stays as it is, for the server to refuse. */
function minorText(shillings) {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(shillings)
  if (match === null) return shillings
  return (match[1] + (match[2] ?? '').padEnd(2, '0')).replace(/^0+(?=\d)/, '')
}

const presses = {
  digit: (value, phone) => pressKey(phone.querySelector('.prompt input'), value),
  answer(value, phone) {
    const pin = phone.querySelector('.prompt input').value
    const given = value === 'approve' && pin !== '' ? { pin } : {}
    return call('POST', `/phones/${phone.dataset.msisdn}/prompt`, { action: value, ...given })
  },
  paybill(_value, phone) {
    const typed = (name) => phone.querySelector(`.menu [name=${name}]`).value.trim()
    return call('POST', `/phones/${phone.dataset.msisdn}/paybill`, {
      business_number: typed('business'),
      account_number: typed('account'),
      amount: minorText(typed('amount')),
      ...(typed('pin') === '' ? {} : { pin: typed('pin') }),
    })
  },
  clock: (value) => call('POST', '/clock', JSON.parse(value)),
  reset: () => call('POST', '/reset', {}),
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  for (const [name, press] of Object.entries(presses)) {
    const value = button?.dataset[name]
    if (value !== undefined) void press(value, button.closest('[data-msisdn]'))
  }
})

document.addEventListener('change', (event) => {
  const { dataset, value } = event.target
  const msisdn = event.target.closest('[data-msisdn]')?.dataset.msisdn
  if (dataset.pack !== undefined) void call('POST', `/packs/${value}`, {})
  if (dataset.set === 'sim_state') void call('PATCH', `/phones/${msisdn}`, { sim_state: value })
  if (dataset.set === 'policy') {
    void call('PUT', `/phones/${msisdn}/policy`, { answer: value, after_ms: 2000 })
  }
})

remember(live)
readClock()
showCountdowns()
setInterval(showCountdowns, 250)
const stream = new EventSource('/sim/v1/events/stream')
stream.onmessage = refresh
stream.onopen = refresh
