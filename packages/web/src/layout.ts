import { type Html, html, render, trusted } from './html'

export interface Page {
  /** BCP 47, such as `en`. */
  readonly lang: string
  readonly title: string
  /** The nonce of this answer's Content-Security-Policy: styles and script are inline, so a page is one request. */
  readonly nonce: string
  readonly styles: string
  /** Runs as a module after the page is parsed. */
  readonly script?: string | undefined
  readonly head?: Html | undefined
  readonly body: Html
}

/** Returns a whole HTML document. Its empty icon saves the request for /favicon.ico that a browser sends by itself. */
export function layout(page: Page): string {
  return render(
    html`<!doctype html>
      <html lang="${page.lang}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${page.title}</title>
          <link rel="icon" href="data:," />
          <style nonce="${page.nonce}">
            ${trusted(page.styles)}
          </style>
          ${page.head}
        </head>
        <body>
          ${page.body}
          ${
            page.script !== undefined &&
            html`<script type="module" nonce="${page.nonce}">
              ${trusted(page.script)}
            </script>`
          }
        </body>
      </html> `,
  )
}
