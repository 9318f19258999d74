export interface Reason {
  readonly what: string
  readonly advice: string
  readonly isTls?: true
}

const reasons: Readonly<Record<string, Reason>> = {
  ENOTFOUND: { what: 'no host has this name', advice: 'Look for a typing mistake in the address.' },
  EAI_AGAIN: {
    what: 'the name server did not answer',
    advice: 'Check the network of this machine.',
  },
  ECONNREFUSED: {
    what: 'nothing listens there',
    advice: 'Start it, or look for a typing mistake in the port.',
  },
  CERT_HAS_EXPIRED: {
    what: 'its certificate has expired',
    advice: 'Check the date of this machine first, then tell who runs the host.',
    isTls: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'its certificate is for another name',
    advice: 'Look for a typing mistake in the address.',
    isTls: true,
  },
}

const untrusted: Reason = {
  what: 'its certificate is of no authority that this machine trusts',
  advice: 'Behind a proxy with its own certificate, name that in NODE_EXTRA_CA_CERTS.',
  isTls: true,
}
const slow: Reason = {
  what: 'no answer in time',
  advice: 'Check the network and any proxy between this machine and the host.',
}

/** Why a request got no answer, from what `fetch` threw. */
export function whyUnanswered(error: unknown): Reason {
  const { name, code, cause } = (error ?? {}) as {
    readonly name?: string
    readonly code?: unknown
    readonly cause?: unknown
  }
  if (cause !== undefined) return whyUnanswered(cause)
  if (name === 'TimeoutError') return slow
  const word = typeof code === 'string' ? code : ''
  const known = reasons[word]
  if (known !== undefined) return known
  if (/CERT|SIGNATURE/.test(word)) return untrusted
  if (word.includes('TIMEOUT')) return slow
  if (/TLS|SSL|EPROTO/.test(word)) {
    return { what: 'it does not speak TLS', advice: 'Check the port and the scheme.', isTls: true }
  }
  return { what: `the connection failed${word && `: ${word}`}`, advice: slow.advice }
}
