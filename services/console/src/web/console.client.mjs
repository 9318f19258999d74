import { encodeAct } from './act-bytes.client.mjs'
import { base64Of, makeOwnKey, readOwnKey, signAct, signChallenge } from './own-key.client.mjs'

const shell = document.querySelector('[data-csrf]')
const find = (selector, within = document) => within.querySelector(selector)

function refuse(text) {
  const notice = find('[data-refusal]')
  notice.textContent = text
  notice.hidden = false
  notice.focus()
}

/** Returns the answer's `data`, or throws an error with a sentence for the operator. */
async function send(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      'Content-Type': 'application/json',
      ...(shell && { 'X-CSRF-Token': shell.dataset.csrf }),
    },
    signal: AbortSignal.timeout(15_000),
    body: JSON.stringify(body),
  }).catch(() => undefined)
  const envelope = await answer?.json().catch(() => undefined)
  if (answer?.ok === true && envelope !== undefined) return envelope.data
  if (envelope === undefined)
    throw new Error('The console did not answer. Check your connection and try again.')
  const fields = (envelope.errors ?? []).map(({ path: name, message }) => `${name} ${message}`)
  throw new Error([envelope.description, ...fields].join(': '))
}

/** Runs one piece of work at a time: a second press of a button is ignored until the first has ended. */
let isBusy = false
async function once(work) {
  if (isBusy) return
  isBusy = true
  // The notice of an earlier act must not be read as the answer to this one.
  for (const element of document.querySelectorAll('[data-refusal], [data-notice]'))
    element.hidden = true
  await work().catch((error) => refuse(error.message))
  isBusy = false
}

const entrance = find('[data-screen="key"]')

function showPart(name) {
  for (const part of entrance.querySelectorAll('[data-part]'))
    part.hidden = part.dataset.part !== name
}

function showOwn(own) {
  find('[data-own-name]').textContent = own.name
  find('[data-own-id]').textContent = own.operatorId
}

function enrolmentLine(own) {
  return [own.name, base64Of(own.publicKey), entrance.dataset.subject].filter(Boolean).join(' ')
}

/** Sends an enrolment that the new key itself signed. It enrols only the first two operators of an installation. */
async function enrolOwn(own) {
  const subject = entrance.dataset.subject
  const request = encodeAct('EnrollOperator', { name: own.name, publicKey: own.publicKey, subject })
  const enrolIn = async (country) =>
    send('/enrolments', await signAct(own, country, 'EnrollOperator', request))
  const answers = await Promise.all(['ke', 'ug'].map(enrolIn))
  return answers.map(({ outcome }) => outcome)
}

async function enter(own) {
  const { challenge } = entrance.dataset
  const signature = base64Of(await signChallenge(own, challenge))
  const proof = { public_key: base64Of(own.publicKey), challenge, signature }
  const { is_enrolled: isEnrolled } = await send('/sign-in', proof).catch((error) => {
    throw new Error(`${error.message}. Load this page again to try once more.`)
  })
  if (isEnrolled) location.assign('/')
  else {
    find('[data-enrolment]').textContent = enrolmentLine(own)
    showPart('enrolment')
  }
}

async function prepareEntrance() {
  const own = await readOwnKey()
  if (own === undefined) showPart('without-key')
  else {
    showOwn(own)
    showPart('with-key')
  }
}

async function makeKey(form) {
  const name = new FormData(form).get('name').trim().toLowerCase()
  if (!/^[a-z0-9][a-z0-9.-]{0,30}[a-z0-9]$/.test(name)) {
    throw new Error('The name must be 2 to 32 letters a to z, digits, dots and dashes')
  }
  const own = await makeOwnKey(name)
  showOwn(own)
  showPart('with-key')
  const outcomes = await enrolOwn(own)
  if (outcomes.includes('name_taken'))
    throw new Error(`Another operator is called ${name}: ask to be enrolled under another name`)
  if (outcomes.includes('subject_taken'))
    throw new Error('You have another key: two others retire it first')
  await enter(own)
}

const labels = {
  subject: 'About',
  checkoutId: 'To checkout',
  accountId: 'Account',
  placementId: 'Placement',
  refundId: 'Refund',
  closingId: 'Closing',
  intentId: 'Attempt',
  receipt: 'Receipt',
  amount: 'Amount',
  postingId: 'Posting',
  freezingId: 'Freezing',
  operatorId: 'Operator',
  sentBy: 'Sent by',
  end: 'Close as',
  agreed: 'Decision',
  frozen: 'Wallet',
  name: 'Name',
  publicKey: 'Key',
  note: 'Reason',
}

/** The meaning of each number in an act, shown to the operator before they sign it. */
const meanings = {
  agreed: ['refuse and withdraw', 'approve'],
  frozen: ['thaw', 'freeze'],
  sentBy: ['', 'Malipo', 'the provider, already'],
  end: ['', 'paid', 'not paid'],
}

const countryNames = { ke: 'Kenya', ug: 'Uganda' }
const nameOf = (country) => countryNames[country] ?? 'Kenya and Uganda'

const shown = (name, value) =>
  typeof value === 'number'
    ? meanings[name][value]
    : typeof value === 'string'
      ? value
      : base64Of(value)

/** Shows the operator the very values that will be signed. Resolves with whether the operator agrees to sign. */
function confirmAct(act, country, values) {
  const dialog = find('[data-confirm]')
  const facts = [
    [
      'Act',
      `${act.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}, ${nameOf(country)}`,
    ],
    ...Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [labels[name], shown(name, value)]),
  ]
  const nodes = facts.flatMap(([name, value]) => {
    const [term, meaning] = [document.createElement('dt'), document.createElement('dd')]
    term.textContent = name
    meaning.textContent = value
    return [term, meaning]
  })
  find('[data-confirm-facts]').replaceChildren(...nodes)
  dialog.showModal()
  return new Promise((resolve) => {
    const end = (isWanted) => () => {
      dialog.close()
      resolve(isWanted)
    }
    find('[data-confirm-sign]').onclick = end(true)
    find('[data-confirm-cancel]').onclick = end(false)
    dialog.oncancel = end(false)
  })
}

const numbers = new Set(['agreed', 'frozen', 'sentBy', 'end'])

/** `name key subject`, as the sign-in page of a new operator shows it. */
function readEnrolment(line) {
  const [name = '', key = '', ...subject] = line.trim().split(/\s+/)
  const isWhole = /^[A-Za-z0-9+/]{43}=$/.test(key)
  if (!isWhole) throw new Error('The line must have the name and the key of the new operator')
  const publicKey = Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0))
  return { name, publicKey, ...(subject.length > 0 && { subject: subject.join(' ') }) }
}

function readValues(form, submitter) {
  const entries = [...new FormData(form, submitter)].map(([name, value]) => {
    const trimmed = value.trim()
    return [name, numbers.has(name) ? Number(trimmed) : trimmed]
  })
  const { enrolment, owner, ...values } = Object.fromEntries(entries)
  if (enrolment !== undefined) return readEnrolment(enrolment)
  if (owner === undefined) return values
  const { subject, note } = values
  return { subject, [owner.startsWith('cs_') ? 'checkoutId' : 'accountId']: owner, note }
}

async function perform(form, submitter) {
  const { act, country } = form.dataset
  const values = readValues(form, submitter)
  const own = await readOwnKey()
  if (own?.operatorId !== shell.dataset.operator) {
    throw new Error('This browser does not have the key that signed in. Sign out, and in again.')
  }
  if (!(await confirmAct(act, country, values))) return
  const countries = country === 'both' ? ['ke', 'ug'] : [country]
  const answers = await Promise.all(countries.map((each) => performIn(each, own, act, values)))
  const text = textOf(countries, answers)
  if (!answers.some(({ isDone }) => isDone)) throw new Error(text)
  sessionStorage.setItem('notice', text)
  location.reload()
}

/** Returns an error as the outcome of its country, because the other country may still do what was asked. */
async function performIn(country, own, act, values) {
  try {
    const signed = await signAct(own, country, act, encodeAct(act, values))
    const { text, is_done: isDone } = await send('/acts', signed)
    return { text, isDone }
  } catch (error) {
    return { text: error.message, isDone: false }
  }
}

function textOf(countries, answers) {
  const texts = answers.map(({ text }) => text.replace(/\.?$/, '.'))
  if (new Set(texts).size === 1) return texts[0]
  return countries.map((country, place) => `${nameOf(country)}: ${texts[place]}`).join(' ')
}

const actions = {
  'sign-in': async () => enter(await readOwnKey()),
  'try-again': async () => location.reload(),
  'sign-out': async () => {
    await send('/sign-out', {})
    location.assign('/sign-in')
  },
}

document.addEventListener('click', ({ target }) => {
  const action = actions[target.dataset?.do]
  if (action !== undefined) void once(action)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.dataset.act !== undefined) {
    event.preventDefault()
    void once(() => perform(form, event.submitter))
  }
  if (form.dataset.part === 'without-key') {
    event.preventDefault()
    void once(() => makeKey(form))
  }
})

if (entrance !== null) void once(prepareEntrance)

const notice = sessionStorage.getItem('notice')
if (notice !== null && shell !== null) {
  sessionStorage.removeItem('notice')
  find('[data-notice]').textContent = notice
  find('[data-notice]').hidden = false
}
