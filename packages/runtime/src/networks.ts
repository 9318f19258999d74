import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

const knownMax = 1_000
/** The longest address is IPv6 with an IPv4 tail. A longer text is no address, and takes no place in the cache. */
const addressLengthMax = 45

/** A set of addresses and networks, such as `10.0.0.0/8` or `::1`. */
export interface Networks {
  has(address: string): boolean
}

export function openNetworks(entries: readonly string[]): Networks {
  const members = new BlockList()
  for (const entry of entries) {
    const network = parseNetwork(entry)
    if (network === undefined) throw new RangeError(`${entry} is no address and no network`)
    members.addSubnet(network.address, network.bits, network.family)
  }
  const isMember = (text: string) => {
    const address = plainAddress(text)
    if (isIPv4(address)) return members.check(address, 'ipv4')
    return isIPv6(address) && members.check(address, 'ipv6')
  }
  // The same few proxies are looked up with each request, and without a cache that takes as long as routing it.
  const known = new LRUCache<string, boolean>({ max: knownMax })
  return {
    has(text) {
      const cached = known.get(text)
      if (cached !== undefined) return cached
      const answer = isMember(text)
      if (text.length <= addressLengthMax) known.set(text, answer)
      return answer
    },
  }
}

export function isNetwork(entry: string): boolean {
  return parseNetwork(entry) !== undefined
}

/** Maps `::ffff:10.0.0.1`, the form of an IPv4 caller on an IPv6 socket, to `10.0.0.1`. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function parseNetwork(entry: string) {
  const [, address = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bitsMax = family === 'ipv4' ? 32 : 128
  const bits = z.coerce.number().parse(digits ?? bitsMax)
  const isValid = (isIPv4(address) || isIPv6(address)) && bits <= bitsMax
  return isValid ? ({ address, family, bits } as const) : undefined
}
