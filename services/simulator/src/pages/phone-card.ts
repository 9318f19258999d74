import { majorText, type Minor } from '@malipo/kernel/money'
import { html, type Html } from '@malipo/web/html'
import { answers, simStates, type Network, type Phone, type Prompt } from '../domain/phone'

/** One phone as its owner holds it. */
export function phoneCard(phone: Phone): Html {
  const { prompt } = phone
  const { currency } = moneyOf[phone.network]
  const isRinging = prompt?.shown === true && !prompt.ignored
  return html`<article
    class="phone ${isRinging ? 'ringing' : ''}"
    data-key="phone-${phone.msisdn}"
    data-msisdn="${phone.msisdn}"
  >
    <h2>${phone.name}</h2>
    <p class="note">
      <span class="number">${phone.msisdn}</span> · ${phone.network} · PIN ${phone.pin}
    </p>
    <p class="balance">${currency} ${grouped(phone.balanceMinor)}</p>
    ${isRinging ? promptPanel(prompt, phone) : quietPanel(phone)}
    ${phone.network === 'safaricom' && payBillMenu()}
    <div class="row">
      ${choice('SIM', 'sim_state', simStates, phone.simState)}
      ${choice('Answers', 'policy', ['ask', ...answers], phone.policy.answer)}
    </div>
    ${
      phone.sms.length > 0 &&
      html`<details>
        <summary>Messages (${phone.sms.length})</summary>
        ${phone.sms.map((sms) => html`<p class="sms"><b>${sms.from}</b> ${sms.text}</p>`)}
      </details>`
    }
  </article>`
}

function quietPanel({ prompt }: Phone): Html {
  return html`<p class="quiet-panel">
    ${prompt === undefined ? 'No prompt' : 'A request waits that this phone does not show'}
  </p>`
}

/** Lipa na M-PESA: whatever is typed is tried, right or wrong. */
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

/** What each network counts in, and what it calls its money. */
const moneyOf = {
  safaricom: { currency: 'KES', wallet: 'M-PESA' },
  mtn: { currency: 'UGX', wallet: 'MoMo' },
  airtel: { currency: 'UGX', wallet: 'Airtel Money' },
} as const satisfies Record<Network, { currency: string; wallet: string }>

function promptPanel({ id, asked, expiresAtMs }: Prompt, { network, pin }: Phone): Html {
  const { currency, wallet } = moneyOf[network]
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'back']
  return html`<section class="prompt" aria-label="Prompt ${id}">
    <p>
      Do you want to pay <b>${currency} ${grouped(asked.amountMinor)}</b> to
      <b>${asked.businessName}</b> (${asked.business}) account <b>${asked.account}</b>?
    </p>
    <p class="note">Rings <span data-expires="${String(expiresAtMs)}"></span></p>
    <label>
      ${wallet} PIN, empty for the right one
      <input type="password" inputmode="numeric" autocomplete="off" maxlength="${pin.length}" />
    </label>
    <div class="keypad">
      ${keys.map(
        (key) =>
          html`<button type="button" data-digit="${key}" aria-label="${key}">
            ${keyFaces[key] ?? key}
          </button>`,
      )}
    </div>
    <div class="row">
      <button type="button" class="button" data-answer="approve">Approve</button>
      <button type="button" class="small" data-answer="cancel">Cancel</button>
      <button type="button" class="small" data-answer="ignore">Ignore</button>
      <button type="button" class="small" data-answer="wrong_pin">Wrong PIN</button>
      <button type="button" class="small" data-answer="no_funds">No funds</button>
    </div>
  </section>`
}

const keyFaces: Readonly<Record<string, string>> = { clear: 'C', back: '⌫' }

function choice(label: string, name: string, options: readonly string[], chosen: string): Html {
  return html`<label class="choice">
    ${label}
    <select data-set="${name}">
      ${options.map(
        (option) =>
          html`<option value="${option}" ${option === chosen && html`selected`}>${option}</option>`,
      )}
    </select>
  </label>`
}

/** `15005000n` -> `150,050`. */
function grouped(minor: Minor): string {
  return majorText(minor).replace(/\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, ',')
}
