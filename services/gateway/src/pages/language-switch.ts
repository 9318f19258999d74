import { type Html, html } from '@malipo/web/html'
import { dictionaries } from './texts/choose-texts'
import type { Texts } from './texts/texts'

/** Links to the page in other languages, each under its own name. */
export function languageSwitch(texts: Texts, path = ''): Html {
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
