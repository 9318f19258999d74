import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

/** About as much of a page as arrives at once: a slow network or phone shows these steps. */
const pieceLength = 120

/**
 * Opens a page as over a slow network: piece by piece, each painted before the next is sent. Resolves when the page
 * is complete.
 */
export async function openPiecewise(page: Page, url: string): Promise<void> {
  const whole = await fetch(url)
  const [head = '', ...pieces] = piecesOf(await whole.text())
  let answer: ServerResponse | undefined
  const server = createServer((request, response) => {
    // The page's other requests are not delayed.
    if (request.url !== '/') return response.writeHead(204).end()
    answer = response
    const kept = ['content-type', 'content-security-policy']
    for (const name of kept) response.setHeader(name, whole.headers.get(name) ?? '')
    return response.write(head)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${String(port)}/`, { waitUntil: 'commit' })
  for (const piece of pieces) {
    const before = await page.evaluate<number>('document.all.length')
    answer?.write(piece)
    await page.evaluate(shownAfter(before))
  }
  answer?.end()
  await page.waitForLoadState()
  server.close()
}

/** The head with the styles, then the rest: every piece begins with an element. */
function piecesOf(text: string): readonly string[] {
  const body = text.indexOf('<body')
  const pieces = [text.slice(0, body), '']
  for (const element of text.slice(body).split(/(?=<[a-z])/)) {
    if ((pieces.at(-1) ?? '').length > pieceLength) pieces.push('')
    pieces.push((pieces.pop() ?? '') + element)
  }
  return pieces
}

/** Resolves when there are more elements than before, and they have been painted. */
function shownAfter(elements: number): string {
  return `new Promise((resolve) => {
    const look = () => {
      if (document.all.length <= ${String(elements)}) return requestAnimationFrame(look)
      requestAnimationFrame(() => requestAnimationFrame(resolve))
    }
    look()
  })`
}
