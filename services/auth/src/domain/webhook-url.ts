const lengthMax = 500
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/**
 * What is wrong with an address that events are to be sent to, in words for its owner; undefined when nothing is. Where
 * the name leads is checked by the worker at each attempt.
 */
export function webhookUrlProblem(
  text: string,
  { isLocal }: { readonly isLocal: boolean },
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || text.length > lengthMax) {
    return `must be an address of at most ${String(lengthMax)} characters, such as https://shop.example/webhooks`
  }
  return partProblem(url) ?? placeProblem(url, isLocal)
}

function partProblem({ username, password, hash }: URL): string | undefined {
  if (username !== '' || password !== '') return 'must have no user name and no password'
  return hash === '' ? undefined : 'must have no part behind #'
}

function placeProblem({ protocol, hostname, port }: URL, isLocal: boolean): string | undefined {
  const isWeb = ['http:', 'https:'].includes(protocol)
  if (isWeb && isLocal && isLoopbackHost(hostname)) return undefined
  if (protocol !== 'https:') return 'must begin with https://'
  // Nothing else is let out, so that this is no way to try the ports of others.
  return port === '' ? undefined : 'must be on port 443'
}

export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.includes(hostname)
}
