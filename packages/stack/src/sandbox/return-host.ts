import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeServerCertificate } from '../certificates'
import { writePrivateFile } from '../private-file'

export interface ReturnHost {
  /** The https address of the page that payers come back to: a `return_url`. */
  readonly url: string
  /** The authority that a browser may be told to trust. */
  readonly authorityFile: string
  stop(): void
}

export interface ReturnHostOptions {
  /** Where the certificate is kept, so that it has to be trusted once. */
  readonly dir: string
  /** The page of the shop. */
  readonly returnTo: URL
  readonly port: number
}

/**
 * Serves an https address of this machine that sends browsers on to the same path of a shop: a `return_url` must be https,
 * and a shop that is being written has none. Throws when the port is taken.
 */
export async function openReturnHost({
  dir,
  returnTo,
  port,
}: ReturnHostOptions): Promise<ReturnHost> {
  const fileOf = (name: string) => join(dir, 'return', name)
  if (!existsSync(fileOf('ca.crt'))) {
    const { certificate, privateKey, ca } = makeServerCertificate('localhost', new Date())
    writePrivateFile(fileOf('tls.key'), privateKey)
    writePrivateFile(fileOf('tls.crt'), certificate)
    writePrivateFile(fileOf('ca.crt'), ca)
  }
  const server = createServer(
    { key: readFileSync(fileOf('tls.key')), cert: readFileSync(fileOf('tls.crt')) },
    (request, response) => {
      // Written behind the origin, so that a path like `//elsewhere` stays a path.
      response.writeHead(307, { Location: `${returnTo.origin}${request.url ?? '/'}` }).end()
    },
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `https://localhost:${String(taken)}${returnTo.pathname}${returnTo.search}`,
    authorityFile: fileOf('ca.crt'),
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
