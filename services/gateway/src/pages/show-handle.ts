import type { Answer } from '@malipo/runtime/answer'
import { type Html, html } from '@malipo/web/html'
import type { Response } from 'express'
import type { HandleView } from './load-handle'
import { pageAnswer } from './page-frame'
import { handleSteps } from './pay-bill-steps'
import { payForm } from './pay-form'
import { payerScript } from './payer-script'
import { continueOnPhone } from './start-screen'

/** The page of a handle, before a payment. */
export function showHandle(view: HandleView, status: number, response: Response): Answer {
  const { texts, payee, title, startPath } = view
  const main = html`<main data-page="${startPath}" data-screen="handle" data-attempt="">
    <header class="bill">
      <h1><span class="payee">${texts.start.title(payee)}</span></h1>
      ${title !== '' && html`<p class="about">${title}</p>`}
    </header>
    ${view.hasBegun === true && begun(view)} ${sectionOf(view)}
    <p class="announcement" role="status" data-announcement></p>
  </main>`
  const holdsPress = view.hasBegun === true
  const page = { title: texts.start.title(payee), texts, path: startPath, holdsPress, main }
  return pageAnswer(status, { ...page, script: payerScript }, response)
}

/** The warning to a payer whose form has begun another payment than the one that it asks for now. */
export function begunNotice({ texts, isAccepting }: HandleView) {
  const { ifEntered, ifNot } = texts.start.lost
  // Without a form there is no button to press again.
  return { title: texts.handle.begun, text: isAccepting ? [ifEntered, ifNot] : [ifEntered] }
}

function begun(view: HandleView): Html {
  const { title, text } = begunNotice(view)
  return html`<section class="panel">
    <div class="notice warn" role="alert">
      <h2 tabindex="-1" data-focus>${title}</h2>
      ${text.map((line) => html`<p>${line}</p>`)}
    </div>
  </section>`
}

function sectionOf(view: HandleView): Html {
  const { handle, start } = view.texts
  if (view.elsewhere !== undefined) return elsewhere(view, view.elsewhere)
  if (!view.isAccepting) return notice(handle.notAccepting.title, handle.notAccepting.text)
  return html`<section class="panel">
      ${payForm(view, handle.pay)}
      <p class="safety">${start.safety}</p>
      ${continueOnPhone(view)}
    </section>
    ${menu(view)}`
}

/** An account in another country is paid on the host of that country. */
function elsewhere(
  { texts, payee }: HandleView,
  { country, url }: NonNullable<HandleView['elsewhere']>,
): Html {
  const name = texts.countries[country]
  const { title, text, link } = texts.handle.elsewhere
  return notice(
    title(name),
    text(payee, name),
    url !== undefined && html`<a class="button" href="${url}" rel="noreferrer">${link(name)}</a>`,
  )
}

function notice(title: string, text: string, way: Html | false = false): Html {
  return html`<section class="panel">
    <div class="notice" role="status">
      <h2>${title}</h2>
      <p>${text}</p>
    </div>
    ${way}
  </section>`
}

/** The Pay Bill steps as the other way to pay. */
function menu({ texts, payBill }: HandleView): Html | false {
  if (payBill === undefined) return false
  return html`<details class="aside help">
    <summary>${texts.payBill.title}</summary>
    ${handleSteps(texts, payBill)}
  </details>`
}
