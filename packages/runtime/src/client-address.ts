import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { notableEvents } from './metrics'
import { type Networks, plainAddress } from './networks'

/** Finds the client's address, for rate limits and the callback allow list. */
export type ClientAddress = (request: AddressedRequest) => string

interface AddressedRequest {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingHttpHeaders
}

/**
 * Returns the peer of the socket. When the peer is one of our proxies, returns the right-most `X-Forwarded-For` entry
 * that is not one of our proxies; entries left of it come from the client and prove nothing. When that entry is no
 * address, returns the proxy that received the request, the only thing known about the client. When all entries are our
 * proxies, a load balancer or a node has replaced the client's address by its own, so that all clients share its
 * limits. Both cases are counted.
 */
export function openClientAddress(proxies: Networks): ClientAddress {
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? '')
    const forwarded = request.headers['x-forwarded-for']
    if (forwarded === undefined || !proxies.has(peer)) return peer
    const hops = [forwarded].flat().join(',').split(',').map(readHop)
    const place = hops.findLastIndex((hop) => hop === undefined || !proxies.has(hop))
    if (place === -1) {
      notableEvents.inc({ name: 'client_address_hidden' })
      return peer
    }
    const hop = hops[place]
    if (hop === undefined) notableEvents.inc({ name: 'forwarded_for_unreadable' })
    return hop ?? hops[place + 1] ?? peer
  }
}

/**
 * The address of an entry, without the port and the brackets that some proxies add: a port changes with each
 * connection, so a limit by it would limit no client. Undefined where there is no address, such as `unknown`.
 */
function readHop(entry: string): string | undefined {
  const text = entry.trim()
  const [, bracketed, ported] = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/.exec(text) ?? []
  const address = plainAddress(bracketed ?? ported ?? text)
  return isIP(address) === 0 ? undefined : address
}

/**
 * The address in rate limits: an IPv4 address, or the /64 of an IPv6 address, because one subscriber has 2^64 of
 * them.
 */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const left = groupsOf(head)
  const zeros = tail === undefined ? 0 : 8 - left.length - groupsOf(tail).length
  return [...left, ...Array<string>(zeros).fill('0'), ...groupsOf(tail ?? '')].slice(0, 4).join(':')
}

function groupsOf(text: string): string[] {
  // An IPv4 tail, as in 64:ff9b::192.0.2.1, stands for two groups.
  const groups = text === '' ? [] : text.split(':')
  return groups.flatMap((group) =>
    group.includes('.') ? [group, ''] : [group.toLowerCase().replace(/^0+(?=.)/, '')],
  )
}
