import { isIPv4 } from 'node:net'
import { openNetworks, plainAddress } from '@malipo/runtime/networks'

/** The IPv4 ranges that are not public (IANA special-purpose registries). */
const reservedV4 = openNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
/** For IPv6, only global unicast is public, without the ranges that embed IPv4 addresses or serve documentation. */
const globalV6 = openNetworks(['2000::/3'])
const reservedV6 = openNetworks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
const loopback = openNetworks(['127.0.0.0/8', '::1'])

/** Whether an address is public: not of this machine, a private network, or a cloud's metadata service. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(plainAddress(address))) return !reservedV4.has(address)
  return globalV6.has(address) && !reservedV6.has(address)
}

export function isLoopbackAddress(address: string): boolean {
  return loopback.has(address)
}
