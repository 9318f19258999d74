import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from './command'
import { CommandError, exitCodes } from './exit-codes'
import { type Forwarded, forwardEvents } from './forward-event'
import type { Output } from './output'
import { readNumber } from './read-number'
import { type Settings, webUrl } from './read-settings'

const defaultPort = '4242'
/** Malipo sends one address at most eight events at a time, so this leaves room for other programs. */
const connectionsMax = 32

export const listen: Command = {
  words: ['listen'],
  options: {
    'forward-to': {
      value: 'URL',
      about: 'your own server, such as http://localhost:3000/webhooks',
      isRequired: true,
    },
    port: { value: 'PORT', about: `${defaultPort} unless given; 0 takes any that is free` },
  },
  summary: "Pass your account's webhooks on to your own server, and print each with the answer",
  about: `Receives on this machine. Add the address that it prints in the hub (malipo open hub: API Integrations, Webhooks), once.
A stack on this machine sends there; a host elsewhere needs a public https address that leads to the port, such as a tunnel.
Body, signature and your server's answer pass unchanged: what fails is sent again. Ctrl-C ends it.`,
  async run(given, { settings, output, signal }) {
    const target = webUrl(given['forward-to'] ?? '')
    if (target === undefined) {
      throw new CommandError('--forward-to must be a URL, such as http://localhost:3000/webhooks')
    }
    const port = readNumber(given['port'] ?? defaultPort, {
      name: '--port',
      min: 0,
      max: 65_535,
      rule: 'a port from 0 to 65535',
    })
    const secret = secretOf(settings)
    const server = createServer(
      forwardEvents({ target: target.href, secret, signal }, (event) => {
        output.result(event, showEvent(event, output))
      }),
    )
    await open(server, port)
    const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
    output.result({ address, forward_to: target.href }, readyText(address, target.href))
    if (!signal.aborted) await once(signal, 'abort')
    server.close()
    server.closeAllConnections()
    return exitCodes.done
  },
}

async function open(server: Server, port: number): Promise<void> {
  server.maxConnections = connectionsMax
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    const { code = '' } = error as { readonly code?: string }
    throw new CommandError(`Port ${String(port)} cannot be opened (${code}). Give another: --port`)
  })
}

/** Throws CommandError for a text that cannot be a signing secret. */
function secretOf({ MALIPO_WEBHOOK_SECRET: secret }: Settings): string | undefined {
  if (secret === undefined || /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret
  throw new CommandError('MALIPO_WEBHOOK_SECRET must be the secret that the hub showed: whsec_…')
}

function readyText(address: string, target: string): string {
  return `Events to ${address} go to ${target}
Add ${address} in the hub, once: malipo open hub, then API Integrations, Webhooks.
Ctrl-C ends this.`
}

/** One line for a terminal, by the clock of this machine. */
export function showEvent(event: Forwarded, { paint }: Pick<Output, 'paint'>): string {
  const { at, type, id, status, failure, ms, signature } = event
  const isTaken = status !== null && status < 300
  const answer =
    status === null ? `no answer: ${failure ?? ''}` : `${String(status)} in ${String(ms)} ms`
  const signed =
    signature === null
      ? ''
      : `  signature ${paint(signature === 'right' ? 'green' : 'red', signature)}`
  const again = status === 410 ? '  Malipo switches the address off' : '  Malipo sends it again'
  const time = paint('faint', new Date(at).toTimeString().slice(0, 8))
  return `${time}  ${type}  ${id}  -> ${paint(isTaken ? 'green' : 'red', answer)}${signed}${isTaken ? '' : again}`
}
