import { html, render } from '@malipo/web/html'
import { dictionaries } from './texts/choose-texts'

/**
 * What a payer sees when the page was refused before it was begun. It costs nothing to make, so it is in all languages
 * at once and has no style; the browser asks again by itself.
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
