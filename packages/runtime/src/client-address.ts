import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6 } from 'node:net'
import { type Networks, plainAddress } from './networks'

/** Finds the client's address, for rate limits and the callback allow list. */
export type ClientAddress = (request: AddressedRequest) => string

/** The parts of a request that identify its sender. */
interface AddressedRequest {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingHttpHeaders
}

/**
 * The peer of the socket, unless that is a proxy of ours: then the right-most `X-Forwarded-For` entry that is not one
 * of ours. The entries left of it come from the client and prove nothing.
 */
export function openClientAddress(proxies: Networks): ClientAddress {
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? '')
    const forwarded = request.headers['x-forwarded-for']
    if (forwarded === undefined || !proxies.has(peer)) return peer
    const hops = [forwarded]
      .flat()
      .join(',')
      .split(',')
      .map((hop) => plainAddress(hop.trim()))
    return hops.findLast((hop) => !proxies.has(hop)) ?? peer
  }
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
