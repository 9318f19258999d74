import type { Caller as WireCaller } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Caller } from './rules/audit'

/** The caller, cut to the size of the audit log. A browser may send any name, and no request fails for it. */
export function readCaller(wire: WireCaller | undefined): Caller {
  const { address = '', userAgent = '' } = wire ?? {}
  return { address: cut(address, 64), userAgent: cut(userAgent, 256) }
}

function cut(text: string, lengthMax: number): string {
  return [...text.replaceAll(/\p{Cc}/gu, '')].slice(0, lengthMax).join('')
}
