import { isIPv4 } from 'node:net'
import { openNetworks, plainAddress } from '@malipo/runtime/networks'

/** What is in use on the internet for hosts (IANA special-purpose registries): all of IPv4 but these. */
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
/** Of IPv6 only global unicast, and of that nothing that leads to an IPv4 address or stands in documentation. */
const globalV6 = openNetworks(['2000::/3'])
const reservedV6 = openNetworks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
const loopback = openNetworks(['127.0.0.0/8', '::1'])

/** Whether an address is one of the internet: not of this machine, of a private network, or of a cloud's metadata. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(plainAddress(address))) return !reservedV4.has(address)
  return globalV6.has(address) && !reservedV6.has(address)
}

export function isLoopbackAddress(address: string): boolean {
  return loopback.has(address)
}
