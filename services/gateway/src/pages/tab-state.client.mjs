// Keeps the state of a payment in this tab; without storage in the browser it is simply lost.

/** A checkout, or a handle with all its intents. */
export function subject() {
  return document.querySelector('main').dataset.page.split('/').slice(0, 3).join('/')
}

export function keep(name, value) {
  try {
    sessionStorage.setItem(`${name} ${subject()}`, value)
  } catch {
    // Without storage the page still works.
  }
}

export function recall(name) {
  try {
    return sessionStorage.getItem(`${name} ${subject()}`) ?? ''
  } catch {
    return ''
  }
}

/** As the server makes one with the page. */
function makeKey() {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)))
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** How long a press is kept: no prompt of it is open, or without a result, for longer. */
const pressForMs = 600_000
const isRecent = (keptAtMs) => Date.now() - keptAtMs < pressForMs

/**
 * Keeps the key of a press and its wish, and puts it back into the form when the same is wished for again soon. A tab that is
 * found again later must not show the payment of that time as the one of now, so a kept key that is still in the form is
 * replaced. Returns the warning where that press is one of before, which has had no answer yet.
 */
export function keepPress({ key, phone, rail, amount }, attempt, warning) {
  const wish = [attempt, phone.value, rail?.value, amount?.value].join(' ')
  const [keptKey, keptWish, keptAtMs] = recall('wish').split('\n')
  const isAgain = keptWish === wish && isRecent(keptAtMs)
  if (isAgain) key.value = keptKey
  else if (key.value === keptKey) key.value = makeKey()
  keep('wish', `${key.value}\n${wish}\n${Date.now()}`)
  keep('phone', `${phone.value}\n${Date.now()}`)
  return isAgain ? warning : ''
}

/** Forgets the press of before that led to this page, which shows another attempt than the one it followed. */
export function forgetAnswered(attempt) {
  const [, wish = ''] = recall('wish').split('\n')
  if (attempt && !wish.startsWith(`${attempt} `)) keep('wish', '')
}

/** The phone of a recent press: later, another payer may use this browser. */
export function recallPhone() {
  const [phone, keptAtMs] = recall('phone').split('\n')
  return isRecent(keptAtMs) ? phone : ''
}
