import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReturnHost, type ReturnHost } from './return-host'

const dir = mkdtempSync(join(tmpdir(), 'malipo-return-'))
let host: ReturnHost
/** What a browser was told to trust after the first start. */
let ca: Buffer

const returnTo = new URL('http://localhost:3000/thanks?shop=1')
const open = () => openReturnHost({ dir, returnTo, port: 0 })

beforeAll(async () => {
  host = await open()
  ca = readFileSync(host.authorityFile)
})
afterAll(() => {
  host.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** Where a browser that trusts the authority is sent. */
function locationOf(path: string, { url }: ReturnHost = host): Promise<string | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, ca }, (answer) => {
      answer.resume()
      resolve(answer.headers.location)
    }).on('error', reject)
  })
}

test.each([
  ['/thanks?checkout=cs_ke_1&status=completed'],
  ['/'],
  ['//elsewhere.example/thanks'],
  ['/%0d%0aSet-Cookie:x=1'],
])('sends %s on to the same path of the shop', async (path) => {
  expect(await locationOf(path)).toBe(`http://localhost:3000${path}`)
})

test('names the https address of the page that payers come back to', async () => {
  const { pathname, search } = new URL(host.url)
  expect(await locationOf(pathname + search)).toBe('http://localhost:3000/thanks?shop=1')
})

test('keeps its certificate, so that a browser has to trust it once', async () => {
  const again = await open()
  expect(await locationOf('/thanks', again)).toBe('http://localhost:3000/thanks')
  again.stop()
})

test('keeps its key for its owner alone', () => {
  expect(statSync(join(dir, 'return/tls.key')).mode & 0o077).toBe(0)
})

test('throws EADDRINUSE when its port is taken', async () => {
  const { port } = new URL(host.url)
  const second = openReturnHost({ dir, returnTo, port: +port })
  await expect(second).rejects.toThrow('EADDRINUSE')
})
