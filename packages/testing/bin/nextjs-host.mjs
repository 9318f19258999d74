// Serves the route handlers of a Next.js shop without Next.js: of it they use only the Request and Response of the web.
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const appDir = join(process.cwd(), 'app')

const server = createServer((request, response) => {
  void answer(request, response).catch((error) => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Open http://127.0.0.1:${server.address().port}\n`)
})

async function answer(incoming, outgoing) {
  const url = new URL(incoming.url, 'http://localhost')
  const route = await import(pathToFileURL(join(appDir, url.pathname, 'route.js')))
  const { method, headers } = incoming
  const body = method === 'POST' ? await buffer(incoming) : undefined
  const answered = await route[method](new Request(url, { method, headers, body }))
  outgoing.writeHead(answered.status, Object.fromEntries(answered.headers))
  outgoing.end(Buffer.from(await answered.arrayBuffer()))
}
