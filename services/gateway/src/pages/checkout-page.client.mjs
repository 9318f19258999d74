// Enhances the payer page. The page works without this script; the script saves reloads and shows progress.

import { counted } from './counted.client.mjs'
import { forward } from './forward.client.mjs'
import { watchIntent } from './intent-changes.client.mjs'
import { isFit, refuse, resendMs, wishOf } from './pay-form.client.mjs'
import { forgetAnswered, keep, keepPress, recall, recallPhone } from './tab-state.client.mjs'

const main = document.querySelector('main')
const { page, screen, intent, attempt, waitedMs } = main.dataset
// Not performance.now(), which stops while a phone sleeps.
const shownAt = Date.now()

/** The interface's pace: every 2.5 seconds, for up to 2 minutes after the prompt was requested. */
const pollEveryMs = 2_500
const pollForMs = 120_000 - waitedMs
const helpAfterMs = 20_000 - waitedMs
/** The seconds at which a screen reader announces what is left of a prompt. */
const announcedSeconds = [30, 10]
/**
 * Money from the menu and late money are not announced, so the page keeps polling for them, slowly and for a limited
 * time.
 */
const menuEveryMs = 5_000
const failedEveryMs = 15_000
const lookForMs = 600_000
const askForMs = 15_000
/** How long a press is sent again. */
const resendForMs = 120_000
/** The intent status in which each screen is right; in any other status the page fetches the screen from the server. */
const standsIn = {
  waiting: 'pending',
  queued: 'reserved',
  unanswered: 'submitted',
  unconfirmed: 'pending',
}
/** A payment is being confirmed. */
const isLooking = 'looking' in main.dataset
const isFollowed = screen in standsIn && (screen !== 'unconfirmed' || (isLooking && pollForMs > 0))

const every = (selector, run) => document.querySelectorAll(selector).forEach(run)
const pause = (ms) => new Promise((done) => setTimeout(done, ms))
const ago = () => Date.now() - shownAt

/** Announces text to screen readers without interrupting them. */
const onProgress = (text) => (document.querySelector('[data-announcement]').textContent = text)

/** Resolves to undefined after a network error. */
function reach(path, options) {
  // Not AbortSignal.timeout, which browsers of before 2022 do not have.
  const aborter = new AbortController()
  setTimeout(() => aborter.abort(), askForMs)
  return fetch(path, { signal: aborter.signal, ...options }).catch(() => undefined)
}

async function ask(path) {
  const answer = await reach(path)
  every('[data-listening]', (note) => {
    const { offline, words = note.textContent } = note.dataset
    note.dataset.words = words
    note.textContent = answer === undefined ? offline : words
  })
  // 404 comes for a page that cannot be shown any more, as when its merchant was frozen. No state is like the shown
  // one, so the page is loaded again, and says why.
  if (answer?.status === 404) return {}
  return answer?.ok ? (await answer.json().catch(() => undefined))?.data : undefined
}

let asking = false
/** The intent has changed since the running poll was sent. */
let isDue = false

async function pollOnce() {
  if (asking) return
  asking = true
  await poll()
  asking = false
  if (isDue) pollNow()
}

function pollNow() {
  isDue = asking
  pollOnce()
}

/** The address of the next page, once it is being loaded. */
let movingTo

function move(to = page) {
  movingTo = to
  keep('moved', 'yes')
  location.replace(to)
}

/** The countdown of a prompt that was not sent when the page was shown. */
const unsent = '[data-countdown]:not([data-left-ms])'

/** The server decides on the screen; when it would show another one now, the page is fetched again. */
async function look() {
  const state = await ask(`${page}/state`)
  // The same screen may belong to a newer intent, made in another tab.
  const isSame = state?.screen === screen && (state.intent_id ?? '') === attempt
  if (state === undefined) return
  if (isSame) every(unsent, (note) => countDown(note, state.prompt_left_ms, Date.now()))
  else if (screen !== 'refused' || state.screen === 'paid') move()
}

let looking
/** Only one extra look runs at a time, beside the polls: a slow answer must not delay the next poll. */
function lookOnce() {
  looking = looking ?? look().finally(() => (looking = undefined))
}

let polls = 0
/** One in so many polls also asks for the screen: a reported payment has another one, with the same intent status. */
const pollsPerLook = 4

async function poll() {
  const isOver = ago() > pollForMs
  const isTurn = ++polls % pollsPerLook === 0 || document.querySelector(unsent) !== null
  const found = isOver ? undefined : await ask(`/v1/payments/public/intents/${intent}`)
  const isMoved = found !== undefined && found.status !== standsIn[screen]
  if (isOver || isMoved) await look()
  else if (isTurn) lookOnce()
}

/**
 * Asks for the screen for ten minutes more after the time is over: the server may be down then, or its clock differ. A
 * payment that is being confirmed is followed by `lookEvery` instead.
 */
function follow() {
  const timer = setInterval(pollOnce, pollEveryMs)
  setTimeout(() => clearInterval(timer), isLooking ? pollForMs : pollForMs + lookForMs)
  setTimeout(() => every('[data-help]', (help) => (help.open = true)), helpAfterMs)
}

/** Polls when the payer returns from the menu, another tab, a locked phone or a lost network. */
function lookWhenSeen() {
  const seen = () => document.hidden || (isFollowed ? pollOnce() : lookOnce())
  document.addEventListener('visibilitychange', seen)
  addEventListener('online', seen)
}

function lookEvery(ms) {
  const timer = setInterval(() => document.hidden || lookOnce(), ms)
  setTimeout(() => clearInterval(timer), lookForMs)
}

function followMenu(menu) {
  if (menu.open ?? true) lookEvery(menuEveryMs)
  else menu.addEventListener('toggle', () => lookEvery(menuEveryMs), { once: true })
}

/** Counts down what was left of the prompt at this time; undefined until it is sent. */
function countDown(note, leftMs, at) {
  if (leftMs === undefined) return
  note.dataset.leftMs = leftMs
  const { ranOut } = note.dataset
  const timer = setInterval(() => {
    // Setting the clock back must not lengthen the time left.
    const seconds = Math.ceil((leftMs - Math.max(0, Date.now() - at)) / 1_000)
    note.textContent = seconds > 0 ? counted(note, seconds) : ranOut
    if (seconds <= 0) clearInterval(timer)
    if (seconds <= 0 || announcedSeconds.includes(seconds)) onProgress(note.textContent)
  }, 1_000)
}

/** A form that leads to a new page is followed; any other form only changes the current page. */
function ledTo(answer) {
  if (answer?.type === 'opaqueredirect') return page
  return answer?.redirected ? answer.url : undefined
}

/**
 * A press of which each try was answered has begun nothing, and is forgotten. So is one whose key has begun another
 * payment, which each further press with that key would be refused for.
 */
function endRefused(form, refusal, warning) {
  if (warning === '' || refusal.key) keep('wish', '')
  refuse(form, refusal, warning)
}

/**
 * One press of Pay has one Idempotency-Key: stored before it is sent, and sent again until the server has answered,
 * also after a reload. Another number, or a newer intent, gets a new key. Input that is corrected meanwhile ends it, as
 * the prompt would go to the number that the payer has taken back.
 */
async function send(form, button) {
  const { lostTitle: title, ifEntered, ifNot } = button.dataset
  // An earlier press without an answer may have begun a prompt.
  let warning = keepPress(form.elements, wishOf(form, attempt), ifEntered)
  const body = new URLSearchParams(new FormData(form))
  let until = Date.now() + resendForMs
  form.addEventListener('input', () => (until = 0), { once: true })
  for (let tries = 1; Date.now() < until; tries++) {
    button.textContent = button.dataset.busy
    const answer = await reach(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
      redirect: form.dataset.redirect,
    })
    const next = ledTo(answer)
    if (next !== undefined) return move(next)
    const refusal = await answer?.json().catch(() => undefined)
    if (refusal !== undefined && (answer.status < 500 || tries > 2)) {
      return endRefused(form, refusal, warning)
    }
    const isBusy = refusal?.busy
    // This try may have begun a prompt, unless the server was too busy to.
    if (!isBusy) warning = ifEntered
    // The Pay Bill menu stays closed while a prompt may still come: a payer who uses both pays twice.
    onProgress((button.textContent = isBusy ? refusal.title : button.dataset.offline))
    await pause(resendMs(answer))
  }
  refuse(form, { title, text: [`${ifEntered} ${ifNot}`] })
}

function watchForm(form) {
  const { phone } = form.elements
  const button = form.querySelector('button')
  const words = button.textContent
  let isSending = false
  phone.value = phone.value || recallPhone()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isSending || !isFit(form)) return
    isSending = true
    button.setAttribute('aria-disabled', 'true')
    try {
      // If the next page is being loaded, a press was answered or the screen has changed: it must begin no payment.
      await (movingTo === undefined ? send(form, button) : move(movingTo))
    } finally {
      // The form stays usable after an error in the browser, and when the next page does not come.
      if (movingTo !== undefined) await pause(askForMs)
      isSending = false
      button.textContent = words
      button.removeAttribute('aria-disabled')
    }
  })
}

function offerPrint(button) {
  button.dataset.ready = ''
  button.addEventListener('click', () => print())
}

function offerCopy(button) {
  if (navigator.clipboard === undefined) return
  const { copy, copied } = button.dataset
  button.dataset.ready = ''
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copy)
    button.textContent = copied
    onProgress(copied)
  })
}

/** When the screen has changed, the focus moves to its heading. */
function focusHeading() {
  if (recall('moved')) document.querySelector('[data-focus]')?.focus()
  keep('moved', '')
}

forgetAnswered(attempt)
if (isFollowed) follow()
if (isFollowed) watchIntent(intent, pollForMs, pollNow)
// The next payer in this browser must not see the phone of this one.
if (screen === 'paid') keep('phone', '')
if (screen === 'failed') lookEvery(failedEveryMs)
if (isLooking) setTimeout(() => lookEvery(menuEveryMs), isFollowed ? pollForMs : 0)
if (!['paid', 'handle'].includes(screen)) lookWhenSeen()
every('[data-countdown]', (note) => countDown(note, note.dataset.leftMs, shownAt))
every('[data-menu]', followMenu)
every('[data-pay]', watchForm)
every('[data-forwarding]', (note) => forward(note, onProgress))
every('[data-print]', offerPrint)
every('[data-copy]', offerCopy)
focusHeading()
// A page restored from the back-forward cache shows an old state.
addEventListener('pageshow', (event) => event.persisted && location.reload())
// `lookAgain` reloads a waiting page on which this is not set.
globalThis.isScripted = true
