import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, type AnswerHeaders, htmlAnswer } from '@malipo/runtime/answer'
import { type Html, html } from '@malipo/web/html'
import { layout } from '@malipo/web/layout'
import { nonceOf } from '@malipo/web/page-headers'
import { darkTokens, parts, tableCards, tokens } from '@malipo/web/styles'
import type { Response } from 'express'
import type { Visit } from '../sign-in/signed-in'
import { consoleScript } from './console-script'

const read = (name: string) => readFileSync(join(__dirname, name), 'utf8')
const own = ['frame.css', 'parts.css'].map(read).join('')
const styles = `${tokens}${darkTokens}${parts}${own}@media (max-width: 64rem) {${tableCards}}`

export interface Framed {
  readonly title: string
  readonly main: Html
  readonly status?: number
  readonly headers?: AnswerHeaders
}

/** A whole page as one answer, with its script and style inline. It is never stored and never indexed. */
export function pageAnswer(response: Response, framed: Framed): Answer {
  const { title, main, status = 200, headers = {} } = framed
  const page = layout({
    ...{ lang: 'en', title: `${title} · Malipo operations`, nonce: nonceOf(response) },
    ...{ styles, script: consoleScript, body: main },
  })
  return htmlAnswer(status, page, headers)
}

const sections = [
  { path: '/', text: 'Queue' },
  { path: '/payments', text: 'Payments' },
  { path: '/wallets', text: 'Wallets' },
  { path: '/providers', text: 'Providers' },
  { path: '/reconciliation', text: 'Reconciliation' },
  { path: '/operators', text: 'Operators' },
  { path: '/log', text: 'Log' },
] as const

export interface Screen {
  readonly title: string
  /** The path of the section that the screen belongs to. */
  readonly section: (typeof sections)[number]['path']
  readonly content: Html
  readonly status?: number
}

/** A screen of a signed-in operator. */
export function screenAnswer(response: Response, visit: Visit, screen: Screen): Answer {
  const { title, section, content, status } = screen
  const { operator, csrfToken } = visit
  const main = html`<div
    class="shell"
    data-csrf="${csrfToken}"
    data-operator="${operator.operatorId}"
  >
    <a class="skip" href="#content">Skip to the content</a>
    <header class="top">
      <p class="brand"><a href="/">Malipo operations</a></p>
      <nav class="sections" aria-label="Console">
        <ul>
          ${sections.map(
            ({ path, text }) =>
              html`<li>
                <a href="${path}" ${path === section && html`aria-current="page"`}>${text}</a>
              </li>`,
          )}
        </ul>
      </nav>
      <div class="own">
        <span>Signed in as <strong>${operator.name}</strong></span>
        <button type="button" class="button quiet fitting" data-do="sign-out">Sign out</button>
      </div>
    </header>
    <main id="content" class="content" tabindex="-1">
      <h1>${title}</h1>
      <div class="notice" role="status" data-notice hidden></div>
      <div class="notice bad" role="alert" data-refusal hidden tabindex="-1"></div>
      ${content}
    </main>
    <dialog class="dialog" data-confirm aria-labelledby="confirm-title">
      <h2 id="confirm-title">Sign this act?</h2>
      <dl class="facts" data-confirm-facts></dl>
      <div class="buttons">
        <button type="button" class="button fitting" data-confirm-sign>Sign</button>
        <button type="button" class="button quiet fitting" data-confirm-cancel>Cancel</button>
      </div>
    </dialog>
  </div>`
  return pageAnswer(response, { title, main, ...(status !== undefined && { status }) })
}
