// The payer page, quicker. All of it works without this script; this spares the payer reloads and doubts.

const main = document.querySelector('main')
const { checkout, screen, intent, waitedMs } = main.dataset
const page = `/c/${checkout}`
const shownAt = performance.now()

/** The interface's pace: every 2.5 seconds, for up to 2 minutes after the prompt was asked for. */
const pollEveryMs = 2_500
const pollForMs = 120_000 - waitedMs
const helpAfterMs = 20_000 - waitedMs
const forwardAfterMs = 5_000
/** What providers give a payer to enter the PIN, about. */
const promptMs = 60_000 - waitedMs
const final = ['completed', 'failed', 'expired', 'reversed']

/** What the server answers, or undefined when the network had a bad moment: the next poll asks again. */
async function ask(path) {
  const answer = await fetch(path).catch(() => undefined)
  return answer?.ok ? (await answer.json().catch(() => undefined))?.data : undefined
}

/** The server decides what is shown; when it would show something else now, the page is fetched anew. */
async function lookAgain() {
  const state = await ask(`${page}/state`)
  if (state === undefined || state.screen === screen) return
  sessionStorage.setItem('moved', checkout)
  location.replace(page)
}

let asking = false

async function poll() {
  if (asking) return
  asking = true
  const isOver = performance.now() - shownAt > pollForMs
  const found = isOver ? undefined : await ask(`/v1/payments/public/intents/${intent}`)
  if (isOver || final.includes(found?.status)) await lookAgain()
  asking = false
}

function follow() {
  const timer = setInterval(poll, pollEveryMs)
  setTimeout(() => clearInterval(timer), pollForMs + 2 * pollEveryMs)
  // A phone that was locked while its owner entered the PIN in the menu: look at once.
  document.addEventListener('visibilitychange', () => document.hidden || poll())
  setTimeout(() => document.querySelector('[data-help]')?.setAttribute('open', ''), helpAfterMs)
}

const plurals = new Intl.PluralRules(document.documentElement.lang)

/** Counts down what is left of the prompt; said by the page in words, and so silent for screen readers. */
function countDown(note) {
  const timer = setInterval(() => {
    const seconds = Math.ceil((promptMs - (performance.now() - shownAt)) / 1_000)
    const text = note.dataset[plurals.select(seconds)] ?? ''
    note.textContent = seconds > 0 ? text.replace('#', seconds) : ''
    if (seconds <= 0) clearInterval(timer)
  }, 1_000)
}

/** Keeps the number for a second try on this device, and shows that the button was pressed. */
function watchForm(form) {
  const { phone } = form.elements
  phone.value ||= sessionStorage.getItem(`phone ${checkout}`) ?? ''
  form.addEventListener('submit', () => {
    sessionStorage.setItem(`phone ${checkout}`, phone.value)
    sessionStorage.setItem('moved', checkout)
    const button = form.querySelector('button')
    button.textContent = button.dataset.busy
    // Once the form is on its way: a disabled button in the same moment would stop it in some browsers.
    setTimeout(() => (button.disabled = true))
  })
}

function forward(link) {
  const note = document.querySelector('[data-forwarding]')
  const timer = setTimeout(() => location.assign(link.href), forwardAfterMs)
  note.hidden = false
  note.querySelector('[data-stay]').addEventListener('click', () => {
    clearTimeout(timer)
    note.hidden = true
  })
}

function offerPrint(button) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

/** After the screen has changed under the reader, his place is at its heading. */
function focusHeading() {
  if (sessionStorage.getItem('moved') !== checkout) return
  sessionStorage.removeItem('moved')
  document.querySelector('[data-focus]')?.focus()
}

const within = (selector, run) => document.querySelectorAll(selector).forEach(run)

if (screen === 'waiting') follow()
within('[data-countdown]', countDown)
within('[data-pay]', watchForm)
within('[data-forward]', forward)
within('[data-print]', offerPrint)
focusHeading()
// A page that the back button brings out of the cache shows what was, not what is.
addEventListener('pageshow', (event) => event.persisted && location.reload())
