import { html, type Html } from '@malipo/web/html'
import type { Phone, Prompt } from '../phones/rules/phone'
import { currencyOf, grouped, walletOf } from './money'

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'back']
const keyFaces: Readonly<Record<string, string>> = { clear: 'C', back: '⌫' }

export function promptSheet(prompt: Prompt, { msisdn, network, pin }: Phone): Html {
  const { id, request, expiresAtMs, lastsMs } = prompt
  return html`<form class="prompt" aria-label="Prompt ${id}" data-prompt>
    <div class="ask">
      ${countdown(expiresAtMs, lastsMs)}
      <p>
        Do you want to pay <b>${currencyOf(msisdn)} ${grouped(request.amountMinor)}</b> to
        <b>${request.businessName}</b> (${request.business}) account <b>${request.account}</b>?
      </p>
    </div>
    <label>
      ${walletOf[network]} PIN (empty: the right one)
      <input
        name="pin-${id}"
        type="password"
        inputmode="numeric"
        autocomplete="off"
        maxlength="${pin.length}"
      />
    </label>
    <div class="keypad">
      ${keys.map(
        (key) =>
          html`<button type="button" data-digit="${key}" aria-label="${key}">
            ${keyFaces[key] ?? key}
          </button>`,
      )}
    </div>
    <button type="submit" class="button">Approve</button>
    <div class="row">
      <button type="button" class="small" data-answer="cancel">Cancel</button>
      <button type="button" class="small" data-answer="ignore">Ignore</button>
      <button type="button" class="small" data-answer="wrong_pin">Wrong PIN</button>
      <button type="button" class="small" data-answer="no_funds">No funds</button>
    </div>
  </form>`
}

/** A ring that counts down while the prompt is open; the seconds are also text, for readers who do not see the ring. */
function countdown(expiresAtMs: number, lastsMs: number): Html {
  return html`<div class="ring" data-lasts="${String(lastsMs)}">
    <svg viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="18" cy="18" r="15.9" />
      <circle class="left" cx="18" cy="18" r="15.9" pathLength="100" />
    </svg>
    <span data-expires="${String(expiresAtMs)}"></span>
  </div>`
}
