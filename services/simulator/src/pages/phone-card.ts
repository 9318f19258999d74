import { html, type Html } from '@malipo/web/html'
import { answers, simStates, type Phone } from '../phones/rules/phone'
import { currencyOf, grouped, walletOf } from './money'
import { promptSheet } from './prompt-sheet'

export function phoneCard(phone: Phone): Html {
  const { prompt, network, msisdn } = phone
  const isRinging = prompt?.shown === true && !prompt.ignored
  return html`<article
    class="phone ${network} ${isRinging ? 'ringing' : ''}"
    id="phone-${msisdn}"
    data-key="phone-${msisdn}"
    data-msisdn="${msisdn}"
    aria-label="Phone of ${phone.name}"
  >
    <header>
      <h3>${phone.name}</h3>
      <span class="network">${walletOf[network]}</span>
    </header>
    <p class="line">
      <span class="number">${msisdn}</span>
      <span class="balance">${currencyOf(msisdn)} ${grouped(phone.balanceMinor)}</span>
    </p>
    ${isRinging ? promptSheet(prompt, phone) : quietPanel(phone)} ${inbox(phone)}
    ${network === 'safaricom' && payBillMenu()} ${settings(phone)}
  </article>`
}

function quietPanel({ prompt, simState, policy }: Phone): Html {
  const habit = policy.answer === 'ask' ? '' : ` It answers by itself: ${words(policy.answer)}.`
  const state = simState === 'on' ? '' : ` SIM: ${words(simState)}.`
  const waits =
    prompt?.ignored === true
      ? 'A prompt rings, unanswered.'
      : 'A request waits that this phone does not show.'
  return html`<p class="quiet-panel">
    ${prompt === undefined ? 'No prompt.' : waits}${state}${habit}
  </p>`
}

function inbox({ sms }: Phone): Html | false {
  return (
    sms.length > 0 &&
    html`<details class="inbox">
      <summary>Messages (${sms.length})</summary>
      ${sms.map((one) => html`<p class="sms"><b>${one.from}</b> ${one.text}</p>`)}
    </details>`
  )
}

/** Lipa na M-PESA: any input is tried, valid or not. */
function payBillMenu(): Html {
  const field = (name: string, label: string) =>
    html`<label>${label} <input name="${name}" autocomplete="off" /></label>`
  return html`<details class="menu">
    <summary>Lipa na M-PESA: Pay Bill</summary>
    ${field('business', 'Business number')} ${field('account', 'Account number')}
    ${field('amount', 'Amount in shillings')} ${field('pin', 'PIN, or nothing for the right one')}
    <button type="button" class="button" data-paybill>Send</button>
  </details>`
}

function settings(phone: Phone): Html {
  return html`<details class="settings">
    <summary>Owner and SIM</summary>
    <p class="note">PIN ${phone.pin}</p>
    <div class="row">
      ${choice('SIM', 'sim_state', simStates, phone.simState)}
      ${choice('Answers', 'policy', ['ask', ...answers], phone.policy.answer)}
    </div>
  </details>`
}

function choice(label: string, name: string, options: readonly string[], chosen: string): Html {
  return html`<label class="choice">
    ${label}
    <select data-set="${name}">
      ${options.map(
        (option) =>
          html`<option value="${option}" ${option === chosen && html`selected`}>
            ${words(option)}
          </option>`,
      )}
    </select>
  </label>`
}

/** `no_signal` -> `no signal`. */
function words(name: string): string {
  return name.replaceAll('_', ' ')
}
