// The buttons of the page: each makes one call of the control API.

const { base } = document.querySelector('#top').dataset
const announcement = document.querySelector('[data-announcement]')

async function call(method, path, body) {
  const response = await fetch(`${base}/sim/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.ok) {
    announcement.textContent = ''
    return answer
  }
  const { message, problems = [] } = answer
  const words = [
    'Refused',
    ...problems.map((problem) => problem.message.replaceAll('_', ' ')),
    message,
  ]
  announcement.textContent = words.join('. ')
  return undefined
}

function pressKey(input, key) {
  if (key === 'clear') input.value = ''
  else if (key === 'back') input.value = input.value.slice(0, -1)
  else if (input.value.length < input.maxLength) input.value += key
}

/** `150.5` shillings -> `15050`; malformed input is sent unchanged, so that the server refuses it. */
function minorText(shillings) {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(shillings)
  if (match === null) return shillings
  return (match[1] + (match[2] ?? '').padEnd(2, '0')).replace(/^0+(?=\d)/, '')
}

let addedPhones = 0
const numberOf = (count) => String(254_711_500_000 + count)

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
  // The number is free as far as the page shows. If the server refuses it as taken, the next press tries another.
  async addPhone() {
    const isTaken = (msisdn) => document.querySelector(`[data-msisdn="${msisdn}"]`) !== null
    do addedPhones += 1
    while (isTaken(numberOf(addedPhones)))
    const phone = { msisdn: numberOf(addedPhones), name: `Payer ${addedPhones}` }
    if ((await call('POST', '/phones', phone)) === undefined) return
    announcement.textContent = `${phone.name} has the number ${phone.msisdn}.`
  },
  clock: (value) => call('POST', '/clock', JSON.parse(value)),
  async next() {
    const clock = await (await fetch(`${base}/sim/v1/clock`)).json()
    await call('POST', '/clock', { jump_ms: Math.ceil(clock.next_in_ms ?? 0) })
  },
  pack(value) {
    // The open panel of stories would cover the phones that the story changes.
    document.querySelector('#stories').open = false
    return call('POST', `/packs/${value}`, {})
  },
  reset: () => call('POST', '/reset', {}),
  async reproduce() {
    const { seed } = await (await fetch(`${base}/sim/v1/meta`)).json()
    await call('POST', '/reset', { seed })
  },
  snapshot: () => call('POST', '/snapshots', {}),
  restore: (value) => call('POST', `/snapshots/${value}/restore`, {}),
  removeRule: (value) => call('DELETE', `/rules/${value}`),
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
  if (dataset.set === 'sim_state') void call('PATCH', `/phones/${msisdn}`, { sim_state: value })
  if (dataset.set === 'policy') {
    void call('PUT', `/phones/${msisdn}/policy`, { answer: value, after_ms: 2000 })
  }
})

/** Opens the payer's page in a window beside this one, because the payer's page forbids frames. */
document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-pay]')) return
  event.preventDefault()
  const left = Math.max(0, screen.availWidth - 440)
  open(event.target.address.value, 'payer', `popup,width=420,height=860,left=${left}`)
  event.target.closest('details').open = false
})

/** The Approve button, or Enter in the PIN field. */
document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-prompt]')) return
  event.preventDefault()
  void presses.answer('approve', event.target.closest('[data-msisdn]'))
})
