const lengthMax = 500
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Why an event endpoint's URL is refused, in words for its owner; undefined when it is valid. The worker checks the
 * resolved address at each attempt.
 */
export function webhookUrlProblem(
  text: string,
  { isLocal }: { readonly isLocal: boolean },
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.href.length > lengthMax) {
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
  // Other ports are refused, so that webhooks cannot scan other hosts.
  return port === '' ? undefined : 'must be on port 443'
}

export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.includes(hostname)
}
