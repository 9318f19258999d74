// Validates the form of the payer page inside the page.

function write(tag, text, attributes = {}) {
  const part = document.createElement(tag)
  part.textContent = text
  for (const name in attributes) part.setAttribute(name, attributes[name])
  return part
}

/** Shows an error beside its field, in the same place as the server does. */
function markField({ elements }, { path, message, value }) {
  const field = elements[path]
  const id = `field-${path}-error`
  if (field === undefined) return
  field.value = value ?? field.value
  const hints = (field.getAttribute('aria-describedby') ?? '').split(' ')
  field.setAttribute(
    'aria-describedby',
    [id, ...hints.filter((hint) => hint !== id)].join(' ').trim(),
  )
  field.setAttribute('aria-invalid', 'true')
  field.before(write('p', message, { id, class: 'field-error' }))
  field.focus()
}

function unmark(form) {
  form.querySelectorAll('.field-error').forEach((error) => error.remove())
  form.querySelectorAll('[aria-invalid]').forEach((field) => field.removeAttribute('aria-invalid'))
  document.querySelectorAll('[data-refusal]').forEach((notice) => notice.remove())
}

/**
 * Shows a refusal of the server in the page, and below it the warning unless the refusal has it; the form keeps its
 * input, and gets a new key where its own has begun another payment. The server decides whether the menu opens.
 */
export function refuse(form, { errors = [], key, title, text = [], menu = false }, warning = '') {
  if (key) form.elements.key.value = key
  ;[...errors].reverse().forEach((error) => markField(form, error))
  if (title === undefined) return
  const notice = write('div', '', { class: 'notice', role: 'alert', 'data-refusal': '' })
  form.before(notice)
  const lines = text.join(' ').includes(warning) ? text : [...text, warning]
  notice.append(write('h2', title), ...lines.map((line) => write('p', line)))
  if (menu) document.querySelectorAll('details[data-menu]').forEach((steps) => (steps.open = true))
}

/** The nine digits after the country code; undefined for any text in which `phoneFromPerson` reads no phone. */
function nationalOf(typed, callingCode) {
  // A letter may be a mistyped digit.
  if (/\p{L}/u.test(typed)) return undefined
  const digits = typed.replace(/[^0-9]/g, '')
  const bare = digits.replace(/^0+/, '')
  const isOfHere = bare.startsWith(callingCode)
  if (!isOfHere && (/^[^0-9]*\+/.test(typed) || digits.startsWith('00'))) return undefined
  const national = isOfHere ? bare.slice(callingCode.length).replace(/^0+/, '') : bare
  return national.length === 9 ? national : undefined
}

const rangeOf = (national, ranges) =>
  ranges.find(({ begins }) => new RegExp(`^(?:${begins})`).test(national))

/**
 * What a press is for, in the same words however the phone and the amount were written, and whether the network was
 * named or left to the number: to the server both are one payment.
 */
export function wishOf({ elements, dataset }, attempt) {
  const { phone, rail, amount } = elements
  const { callingCode, rails, rail: usual } = JSON.parse(dataset.phones)
  const national = nationalOf(phone.value, callingCode)
  const decided = rangeOf(national, rails)?.rail ?? usual
  const named = rail?.value === decided ? '' : rail?.value
  const sum = amount && Number(amount.value.replace(/[^0-9.]/g, ''))
  return [attempt, national, named, sum].join(' ')
}

/** Why a phone is refused; the server checks it again. */
function phoneFault(form) {
  const { phone, rail, moved } = form.elements
  const { callingCode, error, ranges } = JSON.parse(form.dataset.phones)
  const national = nationalOf(phone.value, callingCode)
  if (national === undefined) return error
  const range = rangeOf(national, ranges)
  if (range?.isMovable) form.querySelector('[data-moved]').hidden = false
  return range?.isMovable && (moved.checked || rail?.value) ? undefined : range?.error
}

/** Validates the phone before anything is sent, so that a typo costs no request. */
export function isFit(form) {
  unmark(form)
  const message = phoneFault(form)
  if (message !== undefined) markField(form, { path: 'phone', message })
  return message === undefined
}

const resendAfterMs = 2_000
/** As long as the server asks for at most, with the random part. */
const resendMaxMs = 30_000

/**
 * The time until the next try: what the server asks for and a random part, so that pages do not all return at once. A
 * proxy may ask for an hour, or name a date, which counts as nothing.
 */
export function resendMs(answer) {
  const retryAfterMs = 1_000 * (Number(answer?.headers.get('retry-after')) || 0)
  const askedMs = retryAfterMs * (1 + Math.random() / 2)
  return Math.min(resendMaxMs, Math.max(resendAfterMs, askedMs))
}
