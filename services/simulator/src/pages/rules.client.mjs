// The rule builder: shows only the settings of the chosen effect, and only the effects that its moment allows.

const { base } = document.querySelector('#top').dataset
const announcement = document.querySelector('[data-announcement]')
const form = document.querySelector('[data-builder]')

function fit() {
  const moment = form.on.value
  for (const option of form.kind.options) {
    const isFit = option.dataset.at.split(' ').includes(moment)
    option.hidden = option.disabled = !isFit
  }
  if (form.kind.selectedOptions[0]?.disabled !== false) {
    form.kind.value = [...form.kind.options].find(({ disabled }) => !disabled).value
  }
  const asks = form.kind.selectedOptions[0].dataset.asks
  for (const question of form.querySelectorAll('[data-question]')) {
    question.hidden = question.dataset.question !== asks
  }
}

const numbers = ['ms', 'per_second', 'percent', 'copies']

function effectOf() {
  const asks = form.kind.selectedOptions[0].dataset.asks
  const effect = { kind: form.kind.value }
  if (asks === '') return effect
  const { value } = form.elements[asks]
  return { ...effect, [asks]: numbers.includes(asks) ? Number(value) : value }
}

function given(name) {
  const value = form.elements[name].value.trim()
  return value === '' ? {} : { [name]: value }
}

async function add(event) {
  event.preventDefault()
  const times = given('times').times
  const response = await fetch(`${base}/sim/v1/rules`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      on: form.on.value,
      when: { ...given('msisdn'), ...given('account') },
      effect: effectOf(),
      probability: Number(form.chance.value) / 100,
      ...(times === undefined ? {} : { times: Number(times) }),
    }),
  })
  const { error, problems = [] } = await response.json()
  const words = ['Refused', error, ...problems.map(({ path, message }) => `${path} ${message}`)]
  announcement.textContent = response.ok ? '' : words.join(': ')
}

form.on.value = 'callback'
form.addEventListener('change', fit)
form.addEventListener('submit', (event) => void add(event))
fit()
