import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, htmlAnswer } from '@malipo/runtime/answer'
import { type Html, html } from '@malipo/web/html'
import { layout } from '@malipo/web/layout'
import { nonceOf } from '@malipo/web/page-headers'
import { darkTokens, tokens } from '@malipo/web/styles'
import type { Response } from 'express'
import { dictionaries } from './texts/choose-texts'
import type { Texts } from './texts/texts'

const read = (name: string) => readFileSync(join(__dirname, name), 'utf8')
const sheets = ['checkout-page.css', 'screens.css', 'receipt.css']
const styles = tokens + darkTokens + sheets.map(read).join('')

export interface Framed {
  readonly title: string
  readonly texts: Texts
  /** The address of this page for the language links; by default its own. */
  readonly path?: string | undefined
  /** Whether it holds a press, which no language link brings along: the page of another language would have a new key. */
  readonly holdsPress?: boolean
  readonly main: Html
  readonly head?: Html | undefined
  readonly script?: string | undefined
}

/** A whole page as one answer, with its script and styles inline. It is never stored and never indexed. */
export function pageAnswer(
  status: number,
  framed: Framed,
  response: Response,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const { title, texts, path, holdsPress = false, main, head, script } = framed
  const body = html`${!holdsPress && languageSwitch(texts, path)} ${main}
    <footer class="foot">
      <p>${texts.foot}</p>
      ${texts.awaitsReview !== undefined && html`<p>${texts.awaitsReview}</p>`}
    </footer>`
  const { lang } = texts
  const page = layout({ lang, title, nonce: nonceOf(response), styles, script, head, body })
  return htmlAnswer(status, page, headers)
}

/** Links to the page in other languages, each under its own name. */
function languageSwitch(texts: Texts, path = ''): Html {
  return html`<nav class="languages" aria-label="${texts.language}">
    ${Object.values(dictionaries).map(
      ({ lang, name }) =>
        html`<a
          href="${path}?lang=${lang}"
          lang="${lang}"
          hreflang="${lang}"
          ${lang === texts.lang && html`aria-current="true"`}
          >${name}</a
        >`,
    )}
  </nav>`
}
