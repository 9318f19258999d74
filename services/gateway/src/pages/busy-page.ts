import { html, render } from '@malipo/web/html'
import { dictionaries } from './texts/choose-texts'
import type { Texts } from './texts/texts'

/**
 * The answer to a payer whose page request was refused for load. It is a constant in all languages without a style;
 * the browser reloads it by itself.
 */
export const busyPage = {
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    Refresh: '3',
  },
  body: render(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${dictionaries.en.refusals.unavailable.title}</title>
        </head>
        <body>
          <main>
            ${Object.values(dictionaries).map(
              ({ lang, refusals: { unavailable } }) =>
                html`<section lang="${lang}">
                  <h1>${unavailable.title}</h1>
                  <p>${unavailable.text}</p>
                </section>`,
            )}
          </main>
        </body>
      </html>`,
  ),
}

/**
 * The answer to a press that the page's script has sent: it shows this in the page, and tries again by itself. An
 * earlier try of the press may have begun a payment, so the text does not say that none has begun.
 */
export function busyForScript({ refusals: { busy, unavailable } }: Texts): string {
  return JSON.stringify({ title: busy.title, text: [unavailable.text], busy: true })
}
